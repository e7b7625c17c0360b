package dev.baton.benchmark.result;

import java.util.List;
import java.util.Map;

/**
 * The fairness ledger: what the transport promised while these figures were taken.
 *
 * @param name as typed
 * @param guarantees in words
 * @param facts durability, acknowledgement, batching, copies, configuration, version; in the transport's order
 */
public record TransportFacts(String name, List<String> guarantees, Map<String, String> facts) {}
