//! Services: one set of tools, and two faces of it, the Model Context Protocol and HTTP.

#[cfg(feature = "serve")]
pub mod http;
#[cfg(feature = "mcp")]
pub mod mcp;
mod problem;
pub mod tools;
