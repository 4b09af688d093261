//! Generates the client from the document that `KIBITZ_OPENAPI` names.

use std::path::PathBuf;
use std::{env, fs};

use progenitor::{GenerationSettings, Generator, InterfaceStyle};

fn main() {
    let document = env::var("KIBITZ_OPENAPI").expect("KIBITZ_OPENAPI names openapi.json");
    println!("cargo:rerun-if-env-changed=KIBITZ_OPENAPI");
    println!("cargo:rerun-if-changed={document}");
    let document = serde_json::from_str(&fs::read_to_string(document).expect("a file")).expect("a document");
    // Each way to generate a client trips over constructs of its own.
    for (name, style) in [("builder", InterfaceStyle::Builder), ("positional", InterfaceStyle::Positional)] {
        let mut generator = Generator::new(GenerationSettings::default().with_interface(style));
        let tokens = generator.generate_tokens(&document).expect("a client");
        let code = prettyplease::unparse(&syn::parse2(tokens).expect("Rust"));
        let file = PathBuf::from(env::var("OUT_DIR").expect("cargo")).join(format!("{name}.rs"));
        fs::write(file, code).expect("a place to write");
    }
}
