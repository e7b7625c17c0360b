package dev.baton.lab.outside;

import dev.baton.lab.results.Findings;

/** What was heard. @param words of the study */
record EchoFindings(String words) implements Findings {}
