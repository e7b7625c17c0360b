package dev.baton.lab.study.selftest;

import dev.baton.lab.request.SelftestCase;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** All cases, in the order of their names' list. Stateless, thread-safe. */
final class Cases {
    private Cases() {}

    static List<Case> all() {
        return Stream.of(
                        StallCases.all(),
                        DelayCases.all(),
                        DeliveryCases.all(),
                        ProcessCases.all(),
                        List.of(ComparisonCase.of()))
                .flatMap(List::stream)
                .sorted(Comparator.comparing(Case::name))
                .toList();
    }

    static Case of(SelftestCase name) {
        return all().stream()
                .filter(each -> each.name() == name)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no case answers to " + name));
    }
}
