//! The number that a query gives.

/// What a metric gives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scalar {
    /// A whole number.
    Whole(i64),
    /// Another finite number.
    Real(f64),
}

impl Scalar {
    /// Its value; whole numbers beyond 2^53 lose their last digits.
    pub fn as_f64(self) -> f64 {
        match self {
            Scalar::Whole(whole) => whole as f64,
            Scalar::Real(real) => real,
        }
    }
}
