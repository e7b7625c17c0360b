package dev.baton.lab.study.selftest;

import dev.baton.lab.request.SelftestCase;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One case: what is done to the laboratory, and which of its figures have to be what. Immutable, thread-safe.
 *
 * @param trials that it needs, by their ids; empty when it needs none
 * @param injected in a few words
 * @param question the figures, the most telling one first
 */
record Case(
        SelftestCase name,
        List<String> trials,
        String injected,
        BiFunction<Map<String, Evidence>, Laboratory, List<Check>> question) {
    static Case of(SelftestCase name, String trial, String injected, Function<Evidence, List<Check>> question) {
        return new Case(name, List.of(trial), injected, (all, laboratory) -> question.apply(all.get(trial)));
    }

    static Case of(SelftestCase name) {
        return Stream.of(LatencyCases.all(), ReadingCases.all(), DeliveryCases.all(), ProcessCases.all())
                .flatMap(List::stream)
                .filter(each -> each.name() == name)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no case answers to " + name));
    }
}
