//! What the judgement of a page consists of, each with a name, so that it can be taken out and weighed on pages whose truth is
//! known: `cargo xtask ablate-liveness`.

macro_rules! parts {
    ($($name:ident = $id:literal, $does:literal;)*) => {
        /// A question, a sign, or a guard: what keeps a sign from being believed.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Part {
            $(#[doc = $does] $name,)*
        }

        impl Part {
            /// All of them, by question.
            pub const ALL: &[Part] = &[$(Part::$name,)*];

            /// Its name; that of a sign is the one in the record.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Part::$name => $id,)*
                }
            }

            /// What it does.
            pub fn does(self) -> &'static str {
                match self {
                    $(Part::$name => $does,)*
                }
            }
        }
    };
}

parts! {
    Walls = "question:wall", "whether it is a wall";
    WallHeader = "wall:header", "headers of products for walls";
    WallBody = "wall:body", "words in the source of walls";
    WallScript = "wall:script", "names in the scripts of walls";
    WallTag = "wall:tag", "tags of walls";
    WallForm = "wall:form", "fields of forms of walls";
    WallTitle = "wall:title", "titles of walls";
    WallText = "wall:text", "words in the text of walls";
    WallHost = "wall:host", "hosts that walls lead to";
    WallHints = "wall:hints", "several weak signs together";
    WallBare = "wall:bare", "signs that count on a page of some words only";
    WallReach = "wall:reach", "on a long page only what stands near its top counts";
    WallPath = "wall:path", "a redirect to a place that is called after a wall";
    WallPathAsked = "wall:path-asked", "not where the address is called so itself";
    WallComesBack = "wall:comes-back", "a redirect with the asked address to come back to";
    WallComesBackLogin = "wall:comes-back-login", "such a redirect to a field for a password";
    WallRetryAfter = "wall:retry-after", "an answer at any address that asks to come back later";
    WallWaits = "wall:waits", "a page at any address that loads itself again later";
    WallReloads = "wall:loads-itself-again", "a page without a word that loads itself again";
    WallPassword = "wall:password-only", "nothing but a field for a password";
    WallPasswordAbsence = "wall:password-absence", "not where the page says that something is not there";
    WallPasswordTells = "wall:password-tells", "not where the page tells something";
    WallPasswordNamed = "wall:password-named", "not where the page is called like its address";
    WallNotFree = "wall:not-free", "schema.org says that it is not free";
    WallNamedPaywall = "wall:named-paywall", "an element called after a paywall, and words that ask to subscribe";
    WallCookie = "wall:cookie-and-again", "a page without a word that sets a cookie and loads itself again";
    SaysQueue = "wall:says-waiting-room", "words of a waiting room";
    SaysAge = "wall:says-age-gate", "words that ask for an age";
    SaysCountry = "wall:says-country-block", "words that shut out a country";
    SaysCookies = "wall:says-cookie-check", "words that ask for cookies";
    SaysBot = "wall:says-bot-wall", "words that ask whether one is a robot";
    SaysConsent = "wall:says-consent-wall", "words that ask for consent";
    SaysLogin = "wall:says-login-wall", "words that ask to log in";
    SaysPaywall = "wall:says-paywall", "words that ask to subscribe";
    SaysFailing = "wall:says-failing", "words that say that the site fails for now";
    SaysNamed = "wall:says-named", "not where the page is called like its address";
    SaysShowsTitle = "wall:says-shows-title", "but for paywalls and blocks of countries, which show the title";
    SaysNoSite = "wall:says-no-site", "no login where no site is";
    Proof = "question:proof", "whether the page proves itself";
    ProofTitle = "proof:in-title", "the title is about what the address names";
    ProofText = "proof:in-text", "the text is about what the address names";
    ProofHost = "proof:called-like", "the place that a redirect leads to is called like what was asked for";
    ProofSaying = "proof:named-by-what-it-says", "the words of absence are those that the address names";
    Absence = "question:absence", "whether the page says that what was asked for is not there";
    Hosting = "absence:hosting", "pages that stand where no site is";
    SoldElsewhere = "absence:sold-elsewhere", "a redirect to a seller of names";
    Suspended = "absence:suspended", "suspended hosting";
    ParkedPage = "absence:parked", "pages of parked names";
    ForSale = "absence:for-sale", "pages that sell a name";
    DefaultPage = "absence:default", "default pages of servers and panels";
    HostingTold = "absence:hosting-told", "not where the page tells something";
    HostingLong = "absence:hosting-long", "a long one only by its title at the front of the site";
    HostingSelf = "absence:hosting-self", "stands where it is said of this very name, or at its front page";
    Said = "absence:said", "title, heading or first sentences say so";
    SaidTitle = "absence:title", "the title says so";
    SaidHeading = "absence:heading", "the heading says so";
    SaidFirst = "absence:first", "the first sentence says so";
    SaidLater = "absence:later", "a later sentence says so";
    StateUnknown = "absence:unknown", "*not found*";
    StateGone = "absence:gone", "*removed*, *no longer available*";
    StateClosed = "absence:closed", "*is over*";
    StateBarred = "absence:barred", "*shut out*";
    StateForSale = "absence:site-for-sale", "*this name is for sale*";
    SaidExclamation = "absence:exclamation", "*Sorry!* is not the first sentence";
    SaidBeside = "absence:beside", "not where the page says much else";
    SaidAbout = "absence:about", "not where title or heading quote it";
    SaidOver = "absence:over", "what is over may still be shown, but for jobs";
    SaidTold = "absence:told", "not where the page tells something";
    SaidOfPart = "absence:of-part", "posts and comments are parts of pages";
    SaidLaterItem = "absence:later-item", "a later sentence may say it of the item itself";
    SaidItem = "absence:item", "what is said of the item stands, whatever a sibling says";
    SaidTwice = "absence:twice", "what is said twice of the page stands, too";
    WayError = "way:to-error", "a redirect to an error page";
    WayFront = "way:to-front-page", "a redirect to the front page";
    WayIndex = "way:to-index", "a redirect to an index page";
    WayUp = "way:further-up", "a redirect to a page further up";
    WayElsewhere = "way:elsewhere", "a redirect to another page";
    NoFile = "unproven:no-file", "a page in place of a file";
    Thin = "unproven:thin", "a page of few words that nothing proves";
    NotNamed = "unproven:not-named", "a page that has nothing of the words of its address";
    NoIndex = "unproven:noindex", "a page that is not to be found";
    Canonical = "unproven:canonical", "a page that calls the front page its own address";
    UnprovenShell = "unproven:shell", "not where scripts may show more";
    Siblings = "question:sibling", "what a sibling says";
    SiblingPlace = "sibling:one-place", "the sibling is sent to the same place";
    SiblingText = "sibling:alike", "the sibling has the same text";
    SiblingSaying = "sibling:saying", "the sibling says the same of an absence";
    AfterStands = "sibling:stands", "what is said of the item itself stands against an honest sibling";
    AfterNothing = "sibling:nothing-of-it", "a front page with nothing of what the document says is no move";
    AfterSure = "sibling:sure", "where no sibling can be asked, what is said plainly is believed";
    OnePage = "run:one-page", "many addresses of a run end there";
}

/// Which parts are in force: all, but those that were taken out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Parts {
    /// A bit for each part that is out.
    out: u128,
}

const _: () = assert!(Part::ALL.len() <= u128::BITS as usize);

impl Parts {
    /// All of these but one.
    #[must_use]
    pub fn without(self, part: Part) -> Parts {
        Parts { out: self.out | 1 << part as u32 }
    }

    /// Whether a part is in force.
    pub fn have(self, part: Part) -> bool {
        self.out & 1 << part as u32 == 0
    }
}
