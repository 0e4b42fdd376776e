//! The Gregorian calendar, and points in time as they are written.

/// Days from 0000-03-01 to 1970-01-01 in the Gregorian calendar, and in its 400 years.
const BEFORE_EPOCH: i64 = 719_468;
const ERA: i64 = 146_097;

/// Year, month and day of a number of days since 1970, by counting years from March.
#[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "text has its dates spelt out"))]
pub(super) fn calendar(days: i64) -> (i64, i64, i64) {
    let days = days + BEFORE_EPOCH;
    let (era, day) = (days.div_euclid(ERA), days.rem_euclid(ERA));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (400 * era + year + i64::from(month <= 2), month, day)
}

/// A point in time as it is written, in no zone but that of the writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The year.
    pub year: i64,
    /// 1 to 12.
    pub month: i64,
    /// 1 to 31.
    pub day: i64,
    /// Nothing if only the day is known.
    pub hour: Option<i64>,
}

impl Moment {
    /// Reads 2024-01-31, 2024-01-31 12:30, 2024-01-31T12:30:00.5Z.
    pub fn read(cell: &[u8]) -> Option<Moment> {
        let text = std::str::from_utf8(cell).ok()?;
        let (day, time) = match text.find([' ', 'T']) {
            Some(at) => (&text[..at], Some(&text[at + 1..])),
            None => (text, None),
        };
        let mut parts = day.split('-').map(digits);
        let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
        if parts.next().is_some() || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return None;
        }
        let hour = match time {
            None => None,
            Some(time) => {
                let mut parts = time.split(':');
                let (hour, minute) = (digits(parts.next()?)?, digits(parts.next()?.get(..2)?)?);
                (hour < 24 && minute < 60).then_some(())?;
                Some(hour)
            }
        };
        Some(Moment { year, month, day, hour })
    }

    /// 1 for Monday, …, 7 for Sunday.
    pub fn weekday(&self) -> i64 {
        // Years counted from March end with the day that leap years add.
        let year = self.year - i64::from(self.month <= 2);
        let month = if self.month > 2 { self.month - 3 } else { self.month + 9 };
        let day = 365 * year + year.div_euclid(4) - year.div_euclid(100)
            + year.div_euclid(400)
            + (153 * month + 2) / 5
            + self.day
            - 1
            - BEFORE_EPOCH;
        // 1 January 1970 was a Thursday.
        (day + 3).rem_euclid(7) + 1
    }
}

fn digits(text: &str) -> Option<i64> {
    let whole =
        !text.is_empty() && text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    if whole { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read() {
        let read = |text: &str| Moment::read(text.as_bytes());
        let moment = |hour| Some(Moment { year: 2024, month: 1, day: 31, hour });
        assert_eq!(read("2024-01-31"), moment(None));
        for text in ["2024-01-31 12:30", "2024-1-31T12:30:00.5Z", "2024-01-31 12:30:00+02:00"] {
            assert_eq!(read(text), moment(Some(12)), "{text}");
        }
        for text in
            ["", "2024", "31/01/2024", "2024-13-01", "2024-01-31 25:00", "2024-01-31 x", "a-b-c"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }

    /// Every day of 1900 to 2100, there and back.
    #[test]
    fn weekdays_follow_each_other() {
        let mut weekday = 1;
        for days in -25_567..47_847 {
            let (year, month, day) = calendar(days);
            let moment = Moment { year, month, day, hour: None };
            assert_eq!(moment.weekday(), weekday, "{moment:?}");
            weekday = weekday % 7 + 1;
        }
    }
}
