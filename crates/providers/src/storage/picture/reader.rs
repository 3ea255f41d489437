/// The file is not a whole picture of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the picture is damaged")]
pub struct Damaged;

/// Bytes that are read from the front.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn take(&mut self, length: usize) -> Result<&'a [u8], Damaged> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Damaged> {
        self.take(N)?.try_into().map_err(|_| Damaged)
    }

    pub(super) fn u8(&mut self) -> Result<u8, Damaged> {
        self.array().map(|[byte]: [u8; 1]| byte)
    }

    pub(super) fn u16(&mut self) -> Result<u16, Damaged> {
        self.array().map(u16::from_be_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, Damaged> {
        self.array().map(u32::from_be_bytes)
    }
}

pub(super) fn size(number: u32) -> Result<usize, Damaged> {
    usize::try_from(number).map_err(|_| Damaged)
}
