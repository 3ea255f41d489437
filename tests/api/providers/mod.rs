mod fcm;
pub mod identity;
mod razorpay;
mod real_osrm;
mod routing;
mod twilio;
