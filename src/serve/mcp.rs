//! The tools by the Model Context Protocol, with the official SDK: the only file that knows it.
//!
//! Tools, resources (the schemas and the docs of findings) and the prompt `verifier`.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, GetPromptRequestParams, GetPromptResponse,
    GetPromptResult, Implementation, ListPromptsResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, Prompt, PromptArgument, PromptMessage, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, Resource, ResourceContents, Role, ServerCapabilities, ServerConfig, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use schemars::Schema;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::problem::Result;
use super::tools::{self, Call, Context, Step, TOOLS, Tool};
use crate::cli::args::ServiceFlags;
use crate::cli::settings::Settings;
use crate::schemas;
use cited_core::error::{self, Error};
use cited_report::explain::{self, Explanation};

/// Steps that wait to be told; a client that reads slowly misses some of them.
const STEPS: usize = 64;
/// The name of the prompt.
const PROMPT: &str = "verifier";

/// What a client is told of the whole.
const INSTRUCTIONS: &str = "cited checks that the sources of a text say what the text says they say. Use verify_draft for a Markdown \
draft with citations, verify_citations for a text and the sources it was made from, check_claim for a single sentence (without pages it looks for some), \
check_references to see whether works exist as written, show_source to read a page, gate for a claim ledger, \
explain for the codes of findings. A page that could not be read proves nothing: do not take `unchecked`, `unverifiable` or BLOCKED for a \
verdict on the claim.";

/// Which page of a list is asked for; every list is one page.
type Page = Option<PaginatedRequestParams>;
/// What is known of a request beside what it asks.
type Exchange = RequestContext<RoleServer>;
/// What a request gives.
type Answered<T> = Result<T, ErrorData>;

/// One session of a client.
pub struct Session(pub Arc<Context>);

impl ServerHandler for Session {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build();
        let mut info = ServerConfig::new(capabilities);
        info.server_info = Implementation::new("cited", env!("CARGO_PKG_VERSION")).with_title("cited");
        info.instructions = Some(INSTRUCTIONS.to_owned());
        info
    }

    async fn list_tools(&self, _: Page, _: Exchange) -> Answered<ListToolsResult> {
        Ok(ListToolsResult { tools: TOOLS.iter().map(described).collect(), ..ListToolsResult::default() })
    }

    async fn call_tool(&self, request: CallToolRequestParams, exchange: Exchange) -> Answered<CallToolResponse> {
        let tool = tools::tool(&request.name).map_err(|why| ErrorData::invalid_params(why, None))?;
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let token = exchange.meta.get_progress_token();
        let (send, mut steps) = mpsc::channel(STEPS);
        let told = move |step: Step| {
            let _ = send.try_send(step);
        };
        // Who asked for it is told how far its call has come. Cancelling this one leaves the token of the protocol as it is.
        let call = Call { cancelled: exchange.ct.child_token(), listener: Some(Arc::new(told)), ..Call::default() };
        let telling = async {
            while let Some(step) = steps.recv().await {
                let Some(token) = &token else { continue };
                let mut progress = ProgressNotificationParam::new(token.clone(), step.done as f64);
                progress.message = Some(step.message);
                // Who has hung up is told nothing.
                let _ = exchange.peer.notify_progress(progress).await;
            }
            std::future::pending().await
        };
        let done = tokio::select! {
            biased;
            never = telling => never,
            done = tools::call(Arc::clone(&self.0), tool, arguments, call) => done,
        };
        // A failure of a tool is for the model to read, so it is a result and no error of the protocol.
        let result = match done {
            Ok(tools::Answer { text, value }) => {
                let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
                result.structured_content = Some(value);
                result
            }
            Err(problem) => CallToolResult::error(vec![ContentBlock::text(problem.message)]),
        };
        Ok(result.into())
    }

    async fn list_resources(&self, _: Page, _: Exchange) -> Answered<ListResourcesResult> {
        let resources = resources().map(|(resource, _)| resource).collect();
        Ok(ListResourcesResult { resources, ..ListResourcesResult::default() })
    }

    async fn read_resource(&self, request: ReadResourceRequestParams, _: Exchange) -> Answered<ReadResourceResponse> {
        let uri = request.uri;
        let Some((resource, text)) = resources().find(|(resource, _)| resource.uri == uri) else {
            let message = format!("there is no resource {uri}; resources/list has all");
            return Err(ErrorData::resource_not_found(message, Some(json!({"uri": uri}))));
        };
        let contents = ResourceContents::text(text, uri).with_mime_type(resource.mime_type.unwrap_or_default());
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn list_prompts(&self, _: Page, _: Exchange) -> Answered<ListPromptsResult> {
        let draft =
            PromptArgument::new("draft").with_description("The draft: its path, or its text").with_required(true);
        let about = "The Verifier stage: how to check a draft against its sources with these tools";
        let prompt = Prompt::new(PROMPT, Some(about), Some(vec![draft]));
        Ok(ListPromptsResult { prompts: vec![prompt], ..ListPromptsResult::default() })
    }

    async fn get_prompt(&self, request: GetPromptRequestParams, _: Exchange) -> Answered<GetPromptResponse> {
        if request.name != PROMPT {
            let message = format!("no prompt is named `{}`; there is `{PROMPT}`", request.name);
            return Err(ErrorData::invalid_params(message, None));
        }
        let draft = request.arguments.as_ref().and_then(|arguments| arguments.get("draft")).and_then(Value::as_str);
        let Some(draft) = draft.filter(|draft| !draft.trim().is_empty()) else {
            return Err(ErrorData::invalid_params("the prompt needs `draft`: a path or the text itself", None));
        };
        let text = format!("{}\nThe draft:\n\n{draft}\n", include_str!("verifier.md"));
        let mut result = GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]);
        result.description = Some("Check a draft against its sources".to_owned());
        Ok(result.into())
    }
}

/// What there is to read, with its text: the schemas, and the docs of findings and checks.
fn resources() -> impl Iterator<Item = (Resource, String)> {
    let resource = |place: &str, name: &str, about: &str| {
        Resource::new(format!("cited://{place}/{name}"), name).with_description(about)
    };
    let schemas = schemas::PUBLISHED.iter().map(move |published| {
        let (name, text) = (published.name(), format!("{:#}", schemas::schema(published).to_value()));
        let of = resource("schemas", name, published.about);
        (of.with_mime_type("application/schema+json"), text)
    });
    let pages = explain::all(false).zip(explain::all(true)).map(move |(Explanation { name, meaning, .. }, page)| {
        let of = resource("findings", name, meaning);
        (of.with_mime_type("text/markdown"), format!("# {}", page.text()))
    });
    schemas.chain(pages)
}

/// A tool as the protocol describes it.
fn described(tool: &'static Tool) -> rmcp::model::Tool {
    let object = |schema: &Schema| Arc::new(schema.as_object().cloned().unwrap_or_default());
    let annotations = ToolAnnotations::new()
        .read_only(tool.read_only)
        .destructive(!tool.read_only)
        .idempotent(tool.read_only)
        .open_world(tool.open_world);
    rmcp::model::Tool::new(tool.name, tool.description.as_str(), object(&tool.input))
        .with_raw_output_schema(object(&tool.output))
        .with_annotations(annotations)
}

/// Serves one client on standard input and output until it hangs up.
///
/// # Errors
/// When a flag cannot be used, or the first message is no greeting of the protocol.
pub fn run(flags: ServiceFlags, settings: Settings) -> error::Result<()> {
    let session = Session(Arc::new(Context::new(flags, settings)?));
    super::work(async {
        let service = session.serve(rmcp::transport::stdio()).await.map_err(|error| {
            Error::input(format!(
                "standard input: {error}; `cited mcp` is started by an agent program and speaks the Model Context Protocol"
            ))
        })?;
        service.waiting().await.map_err(|error| Error::blocked(format!("the session broke off: {error}")))?;
        Ok(())
    })
}
