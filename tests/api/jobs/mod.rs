mod answers;
mod cancelling;
mod dispatching;
mod explain;
mod making;
mod reading;
mod serving;
