package dev.baton.benchmark.result;

/**
 * The whole histograms of a trial, each as base64 of HdrHistogram's compressed V2 form. Null: an earlier version did not
 * keep it; the interval log has it.
 */
public record Histograms(String response, String service, String slip) {}
