mod admin_login;
mod otp;
mod sessions;
mod tokens;
