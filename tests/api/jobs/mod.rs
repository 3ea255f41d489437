mod answers;
mod cancelling;
mod dispatching;
mod explain;
mod line_items;
mod making;
mod reading;
mod serving;
