//! The rules that decide what a look means, by their stable names.

/// What decided the outcome of a source. The names are stable: records and reports rest on them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[derive(strum::Display, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum Rule {
    /// Nobody asked.
    #[default]
    Unasked,
    /// We do not ask.
    Refused,
    /// The site's robots.txt forbids it, and it is obeyed.
    Robots,
    /// The host does not exist.
    NoSuchHost,
    /// Nothing speaks against the page.
    Live,
    /// The page is at another address for good.
    Moved,
    /// A copy in an archive stands in.
    Archived,
    /// The page is gone, and an archive could not be asked.
    ArchiveUnasked,
    /// The copy that was cited is gone, the page itself is there.
    CopyGone,
    /// The work is at another of its addresses.
    WorkElsewhere,
    /// The page is gone, and an index of works knows where else its work is.
    WorkFound,
    /// The page is gone, and its work may not be: an index that could have it did not answer, or has it at an address that was not read.
    WorkUnread,
    /// The page could not be read, and an index of works has the abstract of its work.
    WorkAbstract,
    /// The page is there, and about something else than its title and claims say.
    OffTopic,
    /// A redirect led to the front page.
    RedirectToHome,
    /// A redirect led to an error page.
    RedirectToError,
    /// A redirect led to a page higher up.
    RedirectCollapsed,
    /// A redirect led to unrelated content.
    RedirectUnrelated,
    /// Redirects led nowhere.
    RedirectLost,
    /// The domain is parked.
    Parked,
    /// The page says that it is not found.
    #[strum(serialize = "soft-404")]
    #[serde(rename = "soft-404")]
    Soft404,
    /// The page says that the item it is of is gone.
    ItemGone,
    /// The site answers any address alike.
    CatchAll,
    /// Names could not be looked up.
    Dns,
    /// No answer in time.
    Timeout,
    /// No secure connection.
    Tls,
    /// The answer was none.
    Malformed,
    /// No connection, or one that broke.
    Connection,
    /// The body was cut short.
    Truncated,
    /// The body is over the limit.
    SizeLimit,
    /// The body is of a kind that cannot be read.
    NoText,
    /// An answer without a body.
    NoContent,
    /// A status that says gone.
    HttpGone,
    /// A status that asks for a login, money or leave.
    HttpRestricted,
    /// A status that turns robots away.
    HttpBlocked,
    /// Another status.
    HttpOther,
    /// The page is made by a script.
    ScriptShell,
    /// The page has no text.
    Empty,
    /// A challenge stands before the page.
    BotWall,
    /// A login stands before the page.
    LoginWall,
    /// A consent form stands before the page.
    ConsentWall,
    /// A paywall stands before the page.
    Paywall,
    /// A question for the reader's age stands before the page.
    AgeGate,
    /// The page is not shown in the country that was asked from.
    CountryBlock,
    /// A waiting room stands before the page.
    WaitingRoom,
    /// The site says that it fails for now.
    Failing,
    /// A check that cookies are kept stands before the page.
    CookieCheck,
    /// A page stands before the page that leads back to it, or asks to come back later.
    Interstitial,
}

impl Rule {
    /// Every rule.
    pub const ALL: &[Rule] = <Rule as strum::VariantArray>::VARIANTS;

    /// The rule as records and reports have it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether it speaks of the work that an address stood for, wherever that is.
    pub fn is_of_a_work(self) -> bool {
        matches!(self, Rule::WorkElsewhere | Rule::WorkFound | Rule::WorkUnread)
    }
}
