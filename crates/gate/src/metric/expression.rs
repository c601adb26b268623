//! The grammar of short forms: arithmetic over aggregates of the data.
//!
//! ```text
//! expression = term { ("+" | "-") term }
//! term       = factor { ("*" | "/") factor }
//! factor     = [ "-" | "+" ] ( number | "(" expression ")" | pair | aggregate )
//! pair       = ("ratio" | "delta" | "pct_change") "(" expression "," expression ")"
//! aggregate  = ("sum" | "mean" | "median" | "min" | "max" | "count") "(" [ "distinct" ] [ "*" | cell ] [ "from" name ] [ "where" condition ] ")"
//! cell       = arithmetic over columns, numbers and texts; a column is "name" or "table.name"
//! condition  = conjunction { "or" conjunction };  conjunction = test { "and" test }
//! test       = "not" test | "(" condition ")" | cell ( comparison cell | [ "not" ] "in" "(" cells ")"
//!            | [ "not" ] "between" cell "and" cell | [ "not" ] "like" text | "is" [ "not" ] "null" )
//! ```

use super::Fault;
use super::token::{Token, tokens};
use cited_text::Span;

/// The longest metric, in bytes.
pub const LONGEST: usize = 16 << 10;
/// Brackets inside each other, at most.
const DEEPEST: usize = 48;
/// Operators of arithmetic in one metric, at most: each is a level of the tree, and the stack is finite.
const MOST_OPERATORS: usize = 400;

/// A short form, understood.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// A number, as written.
    Number(String),
    /// `-x`
    Negated(Box<Expression>),
    /// `x + y`, `x - y`, `x * y`, `x / y`. Division is always of real numbers.
    Arithmetic(Box<Expression>, Operator, Box<Expression>),
    /// `ratio(new, old)`, `delta(new, old)`, `pct_change(new, old)`
    Pair(Pair, Box<Expression>, Box<Expression>),
    /// A value of many rows.
    Aggregate(Box<Aggregate>),
}

/// Operators of arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`
    Over,
}

impl Operator {
    /// The sign.
    pub fn sign(self) -> &'static str {
        match self {
            Operator::Plus => "+",
            Operator::Minus => "-",
            Operator::Times => "*",
            Operator::Over => "/",
        }
    }
}

/// Forms that compare a new value with an old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pair {
    /// `new / old`
    Ratio,
    /// `new - old`
    Delta,
    /// `(new / old - 1) * 100`
    PctChange,
}

/// A value of many rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Aggregate {
    /// Which.
    pub function: Function,
    /// Of what; `None` counts rows.
    pub cell: Option<Cell>,
    /// Whether equal values count once.
    pub distinct: bool,
    /// The table, when it is named.
    pub table: Option<Name>,
    /// Which rows.
    pub condition: Option<Condition>,
    /// Where it is written.
    pub span: Span,
}

/// Aggregates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// The sum.
    Sum,
    /// How many rows, or values that are there.
    Count,
    /// The arithmetic mean.
    Mean,
    /// The value in the middle; the mean of the two in the middle.
    Median,
    /// The least.
    Min,
    /// The greatest.
    Max,
}

/// A name and where it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// A value of one row.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// A column, its table before it when named.
    Column(Option<Name>, Name),
    /// A number, as written.
    Number(String),
    /// A text.
    Text(String),
    /// `-x`
    Negated(Box<Cell>),
    /// Arithmetic.
    Arithmetic(Box<Cell>, Operator, Box<Cell>),
}

/// Which rows count.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// One of them holds.
    Any(Vec<Condition>),
    /// All of them hold.
    All(Vec<Condition>),
    /// It does not hold.
    Not(Box<Condition>),
    /// A comparison by an operator of SQL.
    Compare(Cell, &'static str, Cell),
    /// `x in (…)`; with `true`, `x not in (…)`
    In(Cell, bool, Vec<Cell>),
    /// `x between y and z`; with `true`, not
    Between(Cell, bool, Cell, Cell),
    /// `x like '…'`; with `true`, not
    Like(Cell, bool, String),
    /// `x is null`; with `true`, not
    Null(Cell, bool),
}

/// The aggregates by name.
const FUNCTIONS: [(&str, Function); 6] = [
    ("sum", Function::Sum),
    ("count", Function::Count),
    ("mean", Function::Mean),
    ("median", Function::Median),
    ("min", Function::Min),
    ("max", Function::Max),
];
/// The pairs by name.
const PAIRS: [(&str, Pair); 3] = [("ratio", Pair::Ratio), ("delta", Pair::Delta), ("pct_change", Pair::PctChange)];
/// Words that are no names unless quoted.
const KEY_WORDS: [&str; 11] = ["where", "from", "and", "or", "not", "in", "between", "like", "is", "null", "distinct"];
/// Comparisons, and how SQL writes them.
const COMPARISONS: [(&str, &str); 8] =
    [("=", "="), ("==", "="), ("!=", "<>"), ("<>", "<>"), ("<=", "<="), (">=", ">="), ("<", "<"), (">", ">")];

impl Function {
    /// Its name.
    pub fn name(self) -> &'static str {
        FUNCTIONS.iter().find(|(_, function)| *function == self).map_or("", |(name, _)| name)
    }
}

/// Reads a short form.
///
/// # Errors
/// When it is none, with the place where that shows.
///
/// ```
/// use cited_gate::metric::expression::read;
/// let fault = read("sum(revenue where week => 24)").unwrap_err();
/// assert_eq!(fault.message, "a value should be here, not `>`");
/// assert_eq!(fault.span.start, 24);
/// ```
pub fn read(text: &str) -> Result<Expression, Fault> {
    if text.len() > LONGEST {
        return Err(Fault::new(format!("longer than {LONGEST} bytes"), Span::new(0, 0)));
    }
    let mut parser = Parser { tokens: tokens(text)?, next: 0, end: text.len(), depth: 0, operators: 0 };
    let expression = parser.expression()?;
    match parser.tokens.get(parser.next) {
        None => Ok(expression),
        Some((token, span)) => Err(Fault::new(format!("{} after the end of the metric", shown(token)), *span)),
    }
}

struct Parser {
    tokens: Vec<(Token, Span)>,
    next: usize,
    end: usize,
    depth: usize,
    operators: usize,
}

fn shown(token: &Token) -> String {
    match token {
        Token::Word(text) | Token::Quoted(text) | Token::Number(text) => format!("`{text}`"),
        Token::Text(text) => format!("'{text}'"),
        Token::Sign(sign) => format!("`{sign}`"),
    }
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|(token, _)| token)
    }

    fn span(&self) -> Span {
        self.tokens.get(self.next).map_or(Span::at(self.end), |(_, span)| *span)
    }

    fn expected<T>(&self, what: &str) -> Result<T, Fault> {
        let found = self.peek().map_or_else(|| "the metric ends".to_owned(), |token| format!("not {}", shown(token)));
        Err(Fault::new(format!("{what} should be here, {found}"), self.span()))
    }

    fn sign(&mut self, sign: &str) -> bool {
        let there = matches!(self.peek(), Some(Token::Sign(found)) if *found == sign);
        self.next += usize::from(there);
        there
    }

    fn need(&mut self, sign: &str) -> Result<(), Fault> {
        if self.sign(sign) { Ok(()) } else { self.expected(&format!("`{sign}`")) }
    }

    fn word(&mut self, word: &str) -> bool {
        let there = matches!(self.peek(), Some(Token::Word(found)) if found.eq_ignore_ascii_case(word));
        self.next += usize::from(there);
        there
    }

    fn need_word(&mut self, word: &str) -> Result<(), Fault> {
        if self.word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    fn name(&mut self) -> Result<Name, Fault> {
        let span = self.span();
        let text = match self.peek() {
            Some(Token::Word(text)) if !KEY_WORDS.iter().any(|word| text.eq_ignore_ascii_case(word)) => text.clone(),
            Some(Token::Quoted(text)) if !text.is_empty() => text.clone(),
            _ => return self.expected("a name"),
        };
        self.next += 1;
        Ok(Name { text, span })
    }

    /// Runs `read` one bracket deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        if self.depth >= DEEPEST {
            return Err(Fault::new(format!("more than {DEEPEST} brackets inside each other"), self.span()));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// The operator that comes next, if it is one of these.
    fn operator(&mut self, known: [(&str, Operator); 2]) -> Result<Option<Operator>, Fault> {
        let span = self.span();
        let Some((_, operator)) = known.into_iter().find(|(sign, _)| self.sign(sign)) else { return Ok(None) };
        self.operators += 1;
        if self.operators > MOST_OPERATORS {
            return Err(Fault::new(format!("more than {MOST_OPERATORS} operators"), span));
        }
        Ok(Some(operator))
    }

    fn expression(&mut self) -> Result<Expression, Fault> {
        let mut left = self.term()?;
        loop {
            let Some(operator) = self.operator([("+", Operator::Plus), ("-", Operator::Minus)])? else {
                return Ok(left);
            };
            left = Expression::Arithmetic(Box::new(left), operator, Box::new(self.term()?));
        }
    }

    fn term(&mut self) -> Result<Expression, Fault> {
        let mut left = self.factor()?;
        loop {
            let Some(operator) = self.operator([("*", Operator::Times), ("/", Operator::Over)])? else {
                return Ok(left);
            };
            left = Expression::Arithmetic(Box::new(left), operator, Box::new(self.factor()?));
        }
    }

    fn factor(&mut self) -> Result<Expression, Fault> {
        if self.sign("-") {
            return self.deeper(Self::factor).map(|inner| Expression::Negated(Box::new(inner)));
        }
        if self.sign("+") {
            return self.deeper(Self::factor);
        }
        if self.sign("(") {
            let inner = self.deeper(Self::expression)?;
            self.need(")")?;
            return Ok(inner);
        }
        match self.peek().cloned() {
            Some(Token::Number(number)) => {
                self.next += 1;
                Ok(Expression::Number(number))
            }
            Some(Token::Word(word)) => self.call(&word),
            _ => self.expected("a number, a bracket or a function"),
        }
    }

    fn call(&mut self, word: &str) -> Result<Expression, Fault> {
        let span = self.span();
        let lower = word.to_ascii_lowercase();
        let function = FUNCTIONS.iter().find(|(name, _)| *name == lower);
        let pair = PAIRS.iter().find(|(name, _)| *name == lower);
        if function.is_none() && pair.is_none() {
            let known = FUNCTIONS.iter().map(|(name, _)| *name).chain(PAIRS.iter().map(|(name, _)| *name));
            let known = known.collect::<Vec<_>>().join(", ");
            let called = matches!(self.tokens.get(self.next + 1), Some((Token::Sign("("), _)));
            let message = if called {
                format!("`{word}` is no function; the functions are {known}")
            } else {
                format!("`{word}` stands for many rows; say which value of them is meant: {known}")
            };
            return Err(Fault::new(message, span));
        }
        self.next += 1;
        self.need("(")?;
        if let Some((_, pair)) = pair {
            let new = self.deeper(Self::expression)?;
            self.need(",")?;
            let old = self.deeper(Self::expression)?;
            self.need(")")?;
            return Ok(Expression::Pair(*pair, Box::new(new), Box::new(old)));
        }
        let function = function.map_or(Function::Count, |(_, function)| *function);
        let aggregate = self.deeper(|parser| parser.aggregate(function, span))?;
        Ok(Expression::Aggregate(Box::new(aggregate)))
    }

    fn aggregate(&mut self, function: Function, start: Span) -> Result<Aggregate, Fault> {
        let distinct = self.word("distinct");
        let bare = matches!(self.peek(), Some(Token::Sign(")")))
            || matches!(self.peek(), Some(Token::Word(word)) if word.eq_ignore_ascii_case("where") || word.eq_ignore_ascii_case("from"));
        let cell = if self.sign("*") || bare { None } else { Some(self.cell()?) };
        if cell.is_none() && (function != Function::Count || distinct) {
            let what = if distinct { "count(distinct …)" } else { function.name() };
            let before = Span::at(self.span().start);
            return Err(Fault::new(format!("`{what}` needs a column"), before));
        }
        let table = if self.word("from") { Some(self.name()?) } else { None };
        let condition = if self.word("where") { Some(self.condition()?) } else { None };
        let end = self.span().end;
        if !self.sign(")") {
            return self.expected("`where`, an operator or `)`");
        }
        Ok(Aggregate { function, cell, distinct, table, condition, span: Span::new(start.start, end) })
    }

    fn cell(&mut self) -> Result<Cell, Fault> {
        let mut left = self.cell_term()?;
        loop {
            let Some(operator) = self.operator([("+", Operator::Plus), ("-", Operator::Minus)])? else {
                return Ok(left);
            };
            left = Cell::Arithmetic(Box::new(left), operator, Box::new(self.cell_term()?));
        }
    }

    fn cell_term(&mut self) -> Result<Cell, Fault> {
        let mut left = self.cell_factor()?;
        loop {
            let Some(operator) = self.operator([("*", Operator::Times), ("/", Operator::Over)])? else {
                return Ok(left);
            };
            left = Cell::Arithmetic(Box::new(left), operator, Box::new(self.cell_factor()?));
        }
    }

    fn cell_factor(&mut self) -> Result<Cell, Fault> {
        if self.sign("-") {
            return self.deeper(Self::cell_factor).map(|inner| Cell::Negated(Box::new(inner)));
        }
        if self.sign("(") {
            let inner = self.deeper(Self::cell)?;
            self.need(")")?;
            return Ok(inner);
        }
        match self.peek().cloned() {
            Some(Token::Number(number)) => {
                self.next += 1;
                Ok(Cell::Number(number))
            }
            Some(Token::Text(text)) => {
                self.next += 1;
                Ok(Cell::Text(text))
            }
            Some(Token::Word(_) | Token::Quoted(_)) => {
                let Ok(first) = self.name() else { return self.expected("a value") };
                if self.sign(".") { Ok(Cell::Column(Some(first), self.name()?)) } else { Ok(Cell::Column(None, first)) }
            }
            _ => self.expected("a value"),
        }
    }

    fn condition(&mut self) -> Result<Condition, Fault> {
        let mut any = vec![self.conjunction()?];
        while self.word("or") {
            any.push(self.conjunction()?);
        }
        Ok(if any.len() == 1 { any.remove(0) } else { Condition::Any(any) })
    }

    fn conjunction(&mut self) -> Result<Condition, Fault> {
        let mut all = vec![self.test()?];
        while self.word("and") {
            all.push(self.test()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Condition::All(all) })
    }

    fn test(&mut self) -> Result<Condition, Fault> {
        if self.word("not") {
            return self.deeper(Self::test).map(|inner| Condition::Not(Box::new(inner)));
        }
        if matches!(self.peek(), Some(Token::Sign("("))) {
            // A bracket opens a condition or a value; which, shows only behind it.
            let start = self.next;
            self.next += 1;
            let inner = self.deeper(Self::condition).and_then(|inner| self.need(")").map(|()| inner));
            match inner {
                Ok(inner) if !self.continues_a_value() => return Ok(inner),
                Err(fault) if !self.is_value_bracket(start) => return Err(fault),
                _ => self.next = start,
            }
        }
        let left = self.cell()?;
        let comparison = COMPARISONS.iter().find(|(sign, _)| self.sign(sign));
        if let Some((_, operator)) = comparison {
            return Ok(Condition::Compare(left, operator, self.cell()?));
        }
        if self.word("is") {
            let not = self.word("not");
            self.need_word("null")?;
            return Ok(Condition::Null(left, not));
        }
        let not = self.word("not");
        if self.word("in") {
            self.need("(")?;
            let mut cells = vec![self.cell()?];
            while self.sign(",") {
                cells.push(self.cell()?);
            }
            self.need(")")?;
            return Ok(Condition::In(left, not, cells));
        }
        if self.word("between") {
            let low = self.cell()?;
            self.need_word("and")?;
            return Ok(Condition::Between(left, not, low, self.cell()?));
        }
        if self.word("like") {
            let Some(Token::Text(pattern)) = self.peek().cloned() else { return self.expected("a text in '…'") };
            self.next += 1;
            return Ok(Condition::Like(left, not, pattern));
        }
        self.expected("a comparison")
    }

    fn continues_a_value(&self) -> bool {
        match self.peek() {
            Some(Token::Sign(sign)) => {
                matches!(*sign, "+" | "-" | "*" | "/") || COMPARISONS.iter().any(|(other, _)| other == sign)
            }
            Some(Token::Word(word)) => {
                ["is", "not", "in", "between", "like"].iter().any(|w| word.eq_ignore_ascii_case(w))
            }
            _ => false,
        }
    }

    /// Whether the bracket at `start` holds no comparison: then it is a value.
    fn is_value_bracket(&self, start: usize) -> bool {
        let mut depth = 0;
        for (token, _) in &self.tokens[start..] {
            match token {
                Token::Sign("(") => depth += 1,
                Token::Sign(")") => {
                    depth -= 1;
                    if depth == 0 {
                        return true;
                    }
                }
                Token::Sign(sign) if COMPARISONS.iter().any(|(other, _)| other == sign) => return false,
                Token::Word(word) if KEY_WORDS.iter().any(|other| word.eq_ignore_ascii_case(other)) => return false,
                _ => {}
            }
        }
        false
    }
}
