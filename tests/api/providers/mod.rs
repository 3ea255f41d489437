mod fcm;
pub mod identity;
mod razorpay;
mod routing;
mod twilio;
