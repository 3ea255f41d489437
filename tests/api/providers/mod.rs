pub mod identity;
mod razorpay;
mod routing;
