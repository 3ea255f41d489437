//! The photos of the demo: small drawings of a vehicle at the roadside, and of a certificate. Pure.

const WIDTH: usize = 96;
const HEIGHT: usize = 64;

/// The motif of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scene {
    Car,
    Scooter,
    Certificate,
}

/// The colours' places in the palette.
const SKY: u8 = 0;
const ROAD: u8 = 1;
const LINE: u8 = 2;
const TYRE: u8 = 3;
const GLASS: u8 = 4;
const PAINT: u8 = 5;
const PAPER: u8 = 6;
const INK: u8 = 7;
const SEAL: u8 = 8;

/// The red, green and blue of each place except the paint's.
const PALETTE: [[u8; 3]; 9] = [
    [188, 213, 232],
    [96, 100, 104],
    [236, 236, 228],
    [34, 36, 40],
    [120, 158, 184],
    [0, 0, 0],
    [250, 247, 236],
    [122, 118, 110],
    [178, 52, 48],
];
/// Colours of vehicles.
const PAINTS: [[u8; 3]; 6] =
    [[190, 44, 44], [44, 92, 170], [232, 232, 232], [60, 66, 72], [214, 158, 36], [52, 128, 88]];

/// Returns a PNG of the scene; the number chooses the paint.
pub fn png(scene: Scene, number: u64) -> Vec<u8> {
    let mut canvas = Canvas([[SKY; WIDTH]; HEIGHT]);
    match scene {
        Scene::Car => canvas.car(),
        Scene::Scooter => canvas.scooter(),
        Scene::Certificate => canvas.certificate(),
    }
    let mut palette = PALETTE;
    let paint = usize::try_from(number % PAINTS.len() as u64).unwrap_or_default();
    palette[usize::from(PAINT)] = PAINTS[paint];
    canvas.png(&palette)
}

struct Canvas([[u8; WIDTH]; HEIGHT]);

impl Canvas {
    fn fill(&mut self, [left, top, right, bottom]: [usize; 4], colour: u8) {
        for row in &mut self.0[top..bottom] {
            row[left..right].fill(colour);
        }
    }

    fn disc(&mut self, (x, y): (usize, usize), radius: usize, colour: u8) {
        for (row, pixels) in self.0.iter_mut().enumerate() {
            for (column, pixel) in pixels.iter_mut().enumerate() {
                if row.abs_diff(y).pow(2) + column.abs_diff(x).pow(2) <= radius.pow(2) {
                    *pixel = colour;
                }
            }
        }
    }

    fn road(&mut self) {
        self.fill([0, 44, WIDTH, HEIGHT], ROAD);
        for left in [4, 36, 68] {
            self.fill([left, 56, left + 18, 58], LINE);
        }
    }

    fn wheels(&mut self, places: [usize; 2], radius: usize) {
        for x in places {
            self.disc((x, 46), radius, TYRE);
            self.disc((x, 46), radius / 2, LINE);
        }
    }

    fn car(&mut self) {
        self.road();
        self.fill([14, 30, 84, 44], PAINT);
        self.fill([28, 18, 66, 30], PAINT);
        self.fill([32, 21, 46, 29], GLASS);
        self.fill([50, 21, 63, 29], GLASS);
        self.wheels([29, 69], 7);
    }

    fn scooter(&mut self) {
        self.road();
        self.fill([30, 32, 62, 40], PAINT);
        self.fill([56, 18, 61, 40], PAINT);
        self.fill([54, 16, 68, 19], TYRE);
        self.fill([30, 28, 48, 32], TYRE);
        self.wheels([32, 66], 8);
    }

    fn certificate(&mut self) {
        self.fill([12, 4, 84, 60], PAPER);
        self.fill([24, 12, 72, 16], INK);
        for top in [24, 30, 36, 42] {
            self.fill([20, top, 76, top + 2], INK);
        }
        self.disc((66, 50), 6, SEAL);
    }

    /// Writes two pixels to a byte, uncompressed: the bytes are few, and need no library.
    fn png(&self, palette: &[[u8; 3]]) -> Vec<u8> {
        let mut rows = Vec::with_capacity(HEIGHT * (WIDTH / 2 + 1));
        for row in &self.0 {
            // The row's filter type is 0: none.
            rows.push(0);
            rows.extend(row.chunks_exact(2).map(|pair| (pair[0] << 4) | pair[1]));
        }
        let size = [(WIDTH as u32).to_be_bytes(), (HEIGHT as u32).to_be_bytes()].concat();
        // A pixel has four bits, with a palette.
        let header = [size.as_slice(), &[4, 3, 0, 0, 0]].concat();
        let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
        for (name, data) in
            [(b"IHDR", header), (b"PLTE", palette.concat()), (b"IDAT", stored(&rows)), (b"IEND", Vec::new())]
        {
            let named = [name.as_slice(), &data].concat();
            png.extend((data.len() as u32).to_be_bytes());
            png.extend(&named);
            png.extend(crc(&named).to_be_bytes());
        }
        png
    }
}

/// Returns a zlib stream (RFC 1950) of one block that is not compressed.
fn stored(data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len()).unwrap_or(u16::MAX);
    let mut stream = vec![0x78, 0x01, 1];
    stream.extend(length.to_le_bytes());
    stream.extend((!length).to_le_bytes());
    stream.extend(data);
    stream.extend(adler(data).to_be_bytes());
    stream
}

fn adler(data: &[u8]) -> u32 {
    let (low, high) = data.iter().fold((1_u32, 0_u32), |(low, high), byte| {
        let low = (low + u32::from(*byte)) % 65_521;
        (low, (high + low) % 65_521)
    });
    (high << 16) | low
}

fn crc(data: &[u8]) -> u32 {
    let bits =
        |word: u32| (0..8).fold(word, |word, _| (word >> 1) ^ if word & 1 == 1 { 0xEDB8_8320 } else { 0 });
    !data.iter().fold(!0_u32, |sum, byte| bits((sum ^ u32::from(*byte)) & 0xFF) ^ (sum >> 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sums_are_those_of_the_formats() {
        assert_eq!(crc(b"IEND"), 0xAE42_6082);
        assert_eq!(crc(b"123456789"), 0xCBF4_3926);
        assert_eq!(adler(b"Wikipedia"), 0x11E6_0398);
    }

    #[test]
    fn a_picture_is_a_small_png_with_every_pixel() {
        for scene in [Scene::Car, Scene::Scooter, Scene::Certificate] {
            let picture = png(scene, 3);
            assert!(picture.starts_with(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x60\0\0\0\x40\x04\x03\0\0\0"));
            assert!(picture.ends_with(b"\0\0\0\0IEND\xae\x42\x60\x82") && picture.len() < 4_000);
            let at = picture.windows(4).position(|name| name == b"IDAT").expect("its pixels") + 4;
            let length = u16::from_le_bytes([picture[at + 3], picture[at + 4]]);
            assert_eq!(usize::from(length), HEIGHT * (WIDTH / 2 + 1));
        }
    }

    #[test]
    fn pictures_differ_by_what_they_show_and_by_the_paint() {
        let car = png(Scene::Car, 0);
        assert_ne!(car, png(Scene::Scooter, 0));
        assert_ne!(car, png(Scene::Certificate, 0));
        assert_ne!(car, png(Scene::Car, 1));
        assert_eq!(car, png(Scene::Car, PAINTS.len() as u64));
    }
}
