//! The rules that decide what a look means, by their stable names.

use std::fmt;

macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal;)+) => {
        /// What decided the outcome of a source. The names are stable: records and reports rest on them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Rule {
            /// Every rule.
            pub const ALL: &[Rule] = &[$(Rule::$name),+];

            /// The rule as records and reports have it.
            pub fn as_str(self) -> &'static str {
                match self { $(Rule::$name => $text),+ }
            }
        }
    };
}

rules! {
    /// Nobody asked.
    Unasked = "unasked";
    /// We do not ask.
    Refused = "refused";
    /// The site's robots.txt forbids it, and it is obeyed.
    Robots = "robots";
    /// The host does not exist.
    NoSuchHost = "no-such-host";
    /// Nothing speaks against the page.
    Live = "live";
    /// The page is at another address for good.
    Moved = "moved";
    /// A copy in an archive stands in.
    Archived = "archived";
    /// The page is gone, and an archive could not be asked.
    ArchiveUnasked = "archive-unasked";
    /// The copy that was cited is gone, the page itself is there.
    CopyGone = "copy-gone";
    /// The work is at another of its addresses.
    WorkElsewhere = "work-elsewhere";
    /// The page is gone, and an index of works knows where else its work is.
    WorkFound = "work-found";
    /// The page is gone, and its work may not be: an index that could have it did not answer, or has it at an address that was not read.
    WorkUnread = "work-unread";
    /// The page could not be read, and an index of works has the abstract of its work.
    WorkAbstract = "work-abstract";
    /// The page is there, and about something else than its title and claims say.
    OffTopic = "off-topic";
    /// A redirect led to the front page.
    RedirectToHome = "redirect-to-home";
    /// A redirect led to an error page.
    RedirectToError = "redirect-to-error";
    /// A redirect led to a page higher up.
    RedirectCollapsed = "redirect-collapsed";
    /// A redirect led to unrelated content.
    RedirectUnrelated = "redirect-unrelated";
    /// Redirects led nowhere.
    RedirectLost = "redirect-lost";
    /// The domain is parked.
    Parked = "parked";
    /// The page says that it is not found.
    Soft404 = "soft-404";
    /// The page says that the item it is of is gone.
    ItemGone = "item-gone";
    /// The site answers any address alike.
    CatchAll = "catch-all";
    /// Names could not be looked up.
    Dns = "dns";
    /// No answer in time.
    Timeout = "timeout";
    /// No secure connection.
    Tls = "tls";
    /// The answer was none.
    Malformed = "malformed";
    /// No connection, or one that broke.
    Connection = "connection";
    /// The body was cut short.
    Truncated = "truncated";
    /// The body is over the limit.
    SizeLimit = "size-limit";
    /// The body is of a kind that cannot be read.
    NoText = "no-text";
    /// An answer without a body.
    NoContent = "no-content";
    /// A status that says gone.
    HttpGone = "http-gone";
    /// A status that asks for a login, money or leave.
    HttpRestricted = "http-restricted";
    /// A status that turns robots away.
    HttpBlocked = "http-blocked";
    /// Another status.
    HttpOther = "http-other";
    /// The page is made by a script.
    ScriptShell = "script-shell";
    /// The page has no text.
    Empty = "empty";
    /// A challenge stands before the page.
    BotWall = "bot-wall";
    /// A login stands before the page.
    LoginWall = "login-wall";
    /// A consent form stands before the page.
    ConsentWall = "consent-wall";
    /// A paywall stands before the page.
    Paywall = "paywall";
    /// A question for the reader's age stands before the page.
    AgeGate = "age-gate";
    /// The page is not shown in the country that was asked from.
    CountryBlock = "country-block";
    /// A waiting room stands before the page.
    WaitingRoom = "waiting-room";
    /// The site says that it fails for now.
    Failing = "failing";
    /// A check that cookies are kept stands before the page.
    CookieCheck = "cookie-check";
    /// A page stands before the page that leads back to it, or asks to come back later.
    Interstitial = "interstitial";
}

impl Rule {
    /// Whether a redirect led astray.
    pub fn is_redirect(self) -> bool {
        matches!(
            self,
            Rule::RedirectToHome
                | Rule::RedirectToError
                | Rule::RedirectCollapsed
                | Rule::RedirectUnrelated
                | Rule::RedirectLost
        )
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl serde::Serialize for Rule {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
