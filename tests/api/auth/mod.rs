mod admin_login;
mod known_devices;
mod otp;
mod sessions;
mod text_messages;
mod tokens;
