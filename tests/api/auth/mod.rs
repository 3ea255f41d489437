mod admin_login;
mod cookies;
mod known_devices;
mod otp;
mod second_factor;
mod sessions;
mod text_messages;
mod tokens;
