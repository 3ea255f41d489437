mod cancelling;
mod dispatching;
mod making;
mod reading;
mod serving;
