"""Answers to claims for people and for other programs: text, JSON, sequence diagrams, pages, traces, reports for CI."""
