//! Text that is not UTF-8, decoded by encoding_rs.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read};

use encoding_rs::{Decoder, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::text_reader::{BUFFER, TextReader};

/// The order of the two bytes of a unit of UTF-16.
pub(crate) enum Order {
    LittleEndian,
    BigEndian,
}

/// Reads UTF-16 as UTF-8, without the byte order mark.
pub(crate) fn utf16(reader: impl BufRead + Send + 'static, order: Order) -> TextReader {
    let encoding = match order {
        Order::LittleEndian => UTF_16LE,
        Order::BigEndian => UTF_16BE,
    };
    let decoded = Utf16 {
        reader,
        decoder: encoding.new_decoder_with_bom_removal(),
        decoded: Vec::new(),
        position: 0,
        ended: false,
    };
    Box::new(BufReader::with_capacity(BUFFER, decoded))
}

pub(crate) fn windows_1252(bytes: &[u8]) -> Cow<'_, str> {
    WINDOWS_1252.decode_without_bom_handling(bytes).0
}

struct Utf16<R> {
    reader: R,
    decoder: Decoder,
    decoded: Vec<u8>,
    position: usize,
    ended: bool,
}

impl<R: BufRead + Send + 'static> Utf16<R> {
    fn decode_more(&mut self) -> io::Result<()> {
        self.position = 0;
        self.decoded.resize(BUFFER, 0);
        let bytes = self.reader.fill_buf()?;
        self.ended = bytes.is_empty();
        let (_, read, written, _) =
            self.decoder
                .decode_to_utf8(bytes, &mut self.decoded, self.ended);
        self.reader.consume(read);
        self.decoded.truncate(written);
        Ok(())
    }
}

impl<R: BufRead + Send + 'static> Read for Utf16<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.position == self.decoded.len() && !self.ended {
            self.decode_more()?;
        }
        let left = &self.decoded[self.position..];
        let length = left.len().min(out.len());
        out[..length].copy_from_slice(&left[..length]);
        self.position += length;
        Ok(length)
    }
}
