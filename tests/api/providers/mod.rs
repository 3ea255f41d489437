mod fcm;
pub mod identity;
mod places;
mod razorpay;
mod real_osrm;
mod routing;
mod twilio;
