mod fcm;
pub mod identity;
mod places;
mod razorpay;
mod routing;
mod twilio;
