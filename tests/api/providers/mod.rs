mod fcm;
mod http_sms;
pub mod identity;
mod kannel;
mod razorpay;
mod routing;
mod twilio;
