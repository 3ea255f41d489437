/// Returns the first word of a name.
pub fn first_name(name: &str) -> Option<String> {
    name.split_whitespace().next().map(str::to_owned)
}
