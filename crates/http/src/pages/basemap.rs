//! The streets of the map: `basemap.pmtiles` in the data folder, if an operator has put it there. Apps read parts of it by range
//! (RFC 9110, 14). The archive may have many gigabytes: nobody gets the whole of it, or more of it in an hour than maps need.

use std::{
    io::{self, SeekFrom},
    ops::Range,
    path::PathBuf,
};

use actix_web::{
    HttpRequest, HttpResponse,
    body::SizedStream,
    http::{
        StatusCode,
        header::{self, ETag, EntityTag},
    },
};
use bytes::Bytes;
use futures_util::{Stream, stream};
use roadcall_platform::error::{ApiError, ApiResult, Code};
use tokio::{
    fs::File,
    io::{AsyncReadExt, AsyncSeekExt, Take},
};

use super::{context::PagesContext, files::file_etag, serving::content_type};
use crate::{ClientAddress, is_known};

/// The path of the archive.
pub(super) const PATH: &str = "/map/basemap.pmtiles";
const NAME: &str = "basemap.pmtiles";
const CHUNK_BYTES: u64 = 65_536;
/// The largest size of an answer. A tile, or a directory of tiles, has some hundred kilobytes.
const MAX_BYTES: u64 = 2 * 1024 * 1024;

pub(super) fn path(context: &PagesContext) -> PathBuf {
    context.settings.server.data_dir.join(NAME)
}

/// Returns whether the archive exists.
pub(super) async fn exists(context: &PagesContext) -> bool {
    tokio::fs::metadata(path(context)).await.is_ok_and(|about| about.is_file())
}

/// Answers with the file or the requested part of it.
pub(super) async fn serve(context: &PagesContext, request: &HttpRequest) -> ApiResult<HttpResponse> {
    let opened = async {
        let file = File::open(path(context)).await?;
        let about = file.metadata().await?;
        io::Result::Ok((file, about))
    };
    let (mut file, about) = match opened.await {
        Ok((file, about)) if about.is_file() => (file, about),
        Ok(_) => return Err(ApiError::not_found("map")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(ApiError::not_found("map")),
        Err(error) => return Err(ApiError::internal(error)),
    };
    let (length, etag) = (about.len(), file_etag(&about, false).map_err(ApiError::internal)?);
    let asked = asked(request, &etag, length);
    let status = match &asked {
        _ if is_known(request, &etag) => StatusCode::NOT_MODIFIED,
        Asked::Whole => StatusCode::OK,
        Asked::Part(_) => StatusCode::PARTIAL_CONTENT,
        Asked::Nothing => StatusCode::RANGE_NOT_SATISFIABLE,
    };
    let mut answer = HttpResponse::build(status);
    answer.content_type(content_type(NAME)).insert_header((header::ACCEPT_RANGES, "bytes"));
    answer.insert_header(ETag(etag)).insert_header((header::CACHE_CONTROL, "no-cache"));
    if status == StatusCode::NOT_MODIFIED {
        return Ok(answer.finish());
    }
    let part = match asked {
        Asked::Whole => 0..length,
        Asked::Part(part) => {
            let range = format!("bytes {}-{}/{length}", part.start, part.end - 1);
            answer.insert_header((header::CONTENT_RANGE, range));
            part
        }
        Asked::Nothing => {
            answer.insert_header((header::CONTENT_RANGE, format!("bytes */{length}")));
            return Ok(answer.finish());
        }
    };
    let wanted = part.end - part.start;
    if wanted > MAX_BYTES {
        return Err(ApiError::forbidden(
            "The map is read in parts: ask for at most 2 MiB with a Range header.",
        ));
    }
    count(context, request, wanted)?;
    file.seek(SeekFrom::Start(part.start)).await.map_err(ApiError::internal)?;
    Ok(answer.body(SizedStream::new(wanted, chunks(file.take(wanted)))))
}

/// Refuses an address to which more was sent in this hour than the maps of many people need.
fn count(context: &PagesContext, request: &HttpRequest, bytes: u64) -> ApiResult<()> {
    let most = context.facts.map.basemap_mib_per_address_per_hour * 1024 * 1024;
    let address = ClientAddress::of(request).bucket();
    context.sent_of_map.count(address, bytes, most, context.clock.now()).map_err(|wait_s| {
        let message = "Too much of the map was read from your network. Try again later.";
        ApiError::new(Code::RateLimited, message).retry_after(wait_s)
    })
}

#[derive(Debug, PartialEq, Eq)]
enum Asked {
    Whole,
    /// A part, which is not empty.
    Part(Range<u64>),
    /// A part beyond the end.
    Nothing,
}

fn asked(request: &HttpRequest, etag: &EntityTag, length: u64) -> Asked {
    let text = |name| request.headers().get(name).map(|value| value.to_str().unwrap_or_default());
    // A part of another version would not fit the client's other parts.
    match (text(header::RANGE), text(header::IF_RANGE)) {
        (Some(range), None) => parse(range, length),
        (Some(range), Some(version)) if version == etag.to_string() => parse(range, length),
        _ => Asked::Whole,
    }
}

/// Reads a range of bytes. Anything else, or several ranges, is answered with the whole file, as RFC 9110 allows.
fn parse(range: &str, length: u64) -> Asked {
    let number = |text: &str| {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse().unwrap_or(u64::MAX))
    };
    let bounds = range.strip_prefix("bytes=").and_then(|range| range.trim().split_once('-'));
    let part = match bounds {
        Some(("", last)) => number(last).map(|count| length.saturating_sub(count)..length),
        Some((first, "")) => number(first).map(|first| first..length),
        Some((first, last)) => match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => Some(first..length.min(last.saturating_add(1))),
            _ => None,
        },
        None => None,
    };
    match part {
        None => Asked::Whole,
        Some(part) if part.start >= part.end => Asked::Nothing,
        Some(part) => Asked::Part(part),
    }
}

fn chunks(file: Take<File>) -> impl Stream<Item = io::Result<Bytes>> {
    stream::try_unfold(file, async |mut file| {
        let mut chunk = Vec::with_capacity(CHUNK_BYTES.min(file.limit()) as usize);
        let read = (&mut file).take(CHUNK_BYTES).read_to_end(&mut chunk).await?;
        Ok((read > 0).then(|| (Bytes::from(chunk), file)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_read_as_the_standard_says() {
        let cases = [
            ("bytes=0-0", Asked::Part(0..1)),
            ("bytes=0-99", Asked::Part(0..100)),
            ("bytes=90-200", Asked::Part(90..100)),
            ("bytes=90-", Asked::Part(90..100)),
            ("bytes=-10", Asked::Part(90..100)),
            ("bytes=-1000", Asked::Part(0..100)),
            ("bytes=99-18446744073709551615", Asked::Part(99..100)),
            ("bytes=99-99999999999999999999999", Asked::Part(99..100)),
            ("bytes=100-", Asked::Nothing),
            ("bytes=100-200", Asked::Nothing),
            ("bytes=-0", Asked::Nothing),
            ("bytes=9-3", Asked::Whole),
            ("bytes=0-1,5-6", Asked::Whole),
            ("bytes=", Asked::Whole),
            ("bytes=-", Asked::Whole),
            ("bytes=a-b", Asked::Whole),
            ("bytes=+1-+2", Asked::Whole),
            ("lines=0-1", Asked::Whole),
        ];
        for (range, expected) in cases {
            assert_eq!(parse(range, 100), expected, "{range}");
        }
        assert_eq!(parse("bytes=0-", 0), Asked::Nothing);
    }
}
