//! Objects: their fields and assertions.

use super::tree::{field_name, is_container, is_loop, range};
use super::{OWN, Writer};
use crate::operators::PLUS;
use jrsonnet_ir::{AssertStmt, Expr, FieldMember, FieldName, ObjBody, Visibility};
use std::fmt::Write as _;

impl Writer<'_> {
    pub(super) fn object(&mut self, body: &ObjBody) {
        self.push("{");
        match body {
            ObjBody::MemberList(members) => {
                for bind in &members.locals {
                    self.push("local ");
                    self.bind(bind);
                    self.push(", ");
                }
                for assertion in &members.asserts {
                    self.assertion(assertion, "Object assertion failed.");
                    self.push(", ");
                }
                self.list(&members.fields, Self::field);
            }
            ObjBody::ObjComp(comprehension) => {
                for bind in &comprehension.locals {
                    self.push("local ");
                    self.bind(bind);
                    self.push(", ");
                }
                self.field(&comprehension.field);
                self.comprehension(&comprehension.compspecs);
            }
        }
        self.push("}");
    }

    pub(super) fn field(&mut self, field: &FieldMember) {
        let start = self.at();
        match &field.name.value {
            FieldName::Fixed(name) => self.string(name),
            FieldName::Dyn(name) => {
                self.push("[");
                self.expression(name);
                self.push("]");
            }
        }
        self.stands_for(start, range(&field.name.span));
        let loops = field.params.as_ref().is_some_and(|parameters| is_loop(parameters, &field.value));
        if let Some(parameters) = field.params.as_ref().filter(|_| !loops) {
            self.push("(");
            self.parameters(parameters);
            self.push(")");
        }
        // What is added to text becomes text, in the form of C++ jsonnet; containers are added as jrsonnet adds them.
        let added = match &field.name.value {
            FieldName::Fixed(name) if field.plus && field.params.is_none() && !is_container(&field.value) => {
                Some(name)
            }
            _ => None,
        };
        if field.plus && added.is_none() {
            self.push("+");
        }
        self.push(match field.visibility {
            Visibility::Normal => ": ",
            Visibility::Hidden => ":: ",
            Visibility::Unhide => "::: ",
        });
        match (&field.params, added) {
            (Some(parameters), _) if loops => self.round_trip(field_name(field), parameters, &field.value),
            (_, Some(name)) => self.added(name, &field.value),
            _ => self.lazy(&field.value),
        }
    }

    /// The value of a field that is added to the one that it replaces.
    pub(super) fn added(&mut self, name: &str, value: &Expr) {
        let _ = write!(self.out.text, "(local {OWN} = ");
        self.lazy(value);
        self.push("; if ");
        self.string(name);
        self.push(" in super then ");
        self.call(PLUS, |writer| {
            writer.push("super[");
            writer.string(name);
            writer.push("], ");
            writer.push(OWN);
        });
        let _ = write!(self.out.text, " else {OWN})");
    }

    pub(super) fn assertion(&mut self, assertion: &AssertStmt, otherwise: &str) {
        self.push("assert ");
        let start = self.at();
        self.in_brackets(&assertion.assertion.value);
        self.stands_for(start, range(&assertion.assertion.span));
        self.push(" : ");
        match &assertion.message {
            Some(message) => self.in_brackets(message),
            None => self.string(otherwise),
        }
    }
}
