//! Outputs: the brief, the record, the side-car, findings. Pure: values in, text out.

pub mod record;

pub use record::Record;
