mod fcm;
mod http_sms;
pub mod identity;
mod kannel;
mod places;
mod razorpay;
mod real_osrm;
mod routing;
mod twilio;
