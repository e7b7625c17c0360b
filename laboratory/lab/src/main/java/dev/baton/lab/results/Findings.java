package dev.baton.lab.results;

import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** The additional findings of a trial: one record for each kind of study, by its name in the result's file. Immutable, thread-safe. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public interface Findings {}
