//! Redis's protocol (RESP2), as far as commands go.

/// A command as it goes over the wire.
pub fn command(words: &[impl AsRef<str>]) -> Vec<u8> {
    let mut text = format!("*{}\r\n", words.len());
    for word in words.iter().map(AsRef::as_ref) {
        text.push_str(&format!("${}\r\n{word}\r\n", word.len()));
    }
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_command_is_a_list_of_texts_with_their_lengths() {
        assert_eq!(super::command(&["PUBLISH", "a", ""]), b"*3\r\n$7\r\nPUBLISH\r\n$1\r\na\r\n$0\r\n\r\n");
    }
}
