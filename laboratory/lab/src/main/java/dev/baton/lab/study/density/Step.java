package dev.baton.lab.study.density;

/**
 * The next trial of a search.
 *
 * @param instances to run
 * @param isDeciding whether the answer is to rest on it, so that it lasts as long as its limits need; else it is
 *     exploratory
 */
public record Step(int instances, boolean isDeciding) {}
