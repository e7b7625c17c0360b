package dev.baton.lab.study.advice;

import dev.baton.lab.request.Limit;
import dev.baton.operations.chains.ChainOptions;
import dev.baton.operations.chains.ForwardingChain;
import dev.baton.operations.chains.NamedChain;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Secrets;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.Guarantee;
import dev.baton.spi.options.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A setting as code, and as arguments of {@code ./baton}. Stateless, thread-safe. */
final class Configuration {
    /** The places of files and of brokers in a deployment. */
    private static final Map<String, String> PLACES =
            Map.of(Subject.DIRECTORY, "/var/lib/chains", Subject.BROKERS, "localhost:9092");

    private Configuration() {}

    /** A class whose one method opens the transport and the loops and starts the chain. */
    static String code(Candidate setting) {
        LoopPlan loops = setting.loops();
        return String.join(
                "\n",
                "import dev.baton.*;",
                "import dev.baton.run.*;",
                "import dev.baton.spi.*;",
                "import java.time.Duration;",
                "import java.util.*;",
                "",
                "class Advised {",
                "    static void run(Chain chain, OutputHandler output, Runnable untilTheEnd) {",
                "        TransportProvider provider = ServiceLoader.load(TransportProvider.class).stream()",
                "                .map(ServiceLoader.Provider::get)",
                "                .filter(each -> each.name().equals(" + quoted(setting.transportName()) + "))",
                "                .findFirst()",
                "                .orElseThrow();",
                "        try (Transport transport = provider.open(" + options(setting) + ");",
                "                Loops loops = " + loops(loops) + ";",
                "                RunningChain running = chain.on(transport)",
                "                        .with(loops)",
                (loops.batch() == 0 ? "" : "                        .batch(" + loops.batch() + ")\n")
                        + "                        .onOutput(output)",
                "                        .start()) {",
                "            untilTheEnd.run();",
                "        }",
                "    }",
                "}",
                "");
    }

    private static String options(Candidate setting) {
        Map<String, String> all = new TreeMap<>(setting.shownOptions());
        setting.transport().provider().options().stream()
                .filter(option -> PLACES.containsKey(option.name()))
                .forEach(option -> all.putIfAbsent(option.name(), PLACES.get(option.name())));
        return all.isEmpty()
                ? "Map.of()"
                : all.entrySet().stream()
                        .map(each -> "Map.entry(" + quoted(each.getKey()) + ", " + quoted(each.getValue()) + ")")
                        .collect(Collectors.joining(", ", "Map.ofEntries(", ")"));
    }

    private static String loops(LoopPlan loops) {
        String code = loops.isCooperative()
                ? "Loops.cooperative(" + loops.threading().substring(LoopPlan.COOPERATIVE.length()) + ")"
                : loops.threading().equals(LoopPlan.PER_SERVICE) ? "Loops.threadPerService()" : "Loops.virtual()";
        if (!loops.idle().equals(LoopPlan.DEFAULT_IDLE)) {
            code += ".idle(" + idle(loops.idle()) + ")";
        }
        return loops.latencyBudgetNanos() == 0
                ? code
                : code + ".latencyBudget(Duration.ofNanos(" + loops.latencyBudgetNanos() + "))";
    }

    private static String idle(String words) {
        int colon = words.indexOf(':');
        return colon < 0
                ? "Idle." + words + "()"
                : "Idle." + words.substring(0, colon) + "(Duration.ofNanos("
                        + Options.parseDuration(words.substring(colon + 1)).toNanos() + "))";
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /**
     * Returns one argument per line, for {@code ./baton service @FILE} or {@code ./baton chain @FILE}.
     *
     * @param chain of a jar; null for services that forward
     */
    static String arguments(Candidate setting, NamedChain chain, List<String> flags) {
        boolean crosses = setting.transport().promises(Guarantee.CROSS_PROCESS);
        List<String> lines = new ArrayList<>();
        if (crosses) {
            lines.add("# JDK_JAVA_OPTIONS='" + String.join(" ", chosen(flags)) + "' ./baton service @FILE --only NAME");
            lines.add("# with --dir or --bootstrap-servers where the transport needs it");
        } else {
            lines.add(
                    "# ./baton chain @FILE; the transport does not cross processes, so no service runs in one of its own");
            lines.add("# measured in a JVM with " + String.join(" ", chosen(flags)));
        }
        Map<String, String> chainOptions =
                chain == null ? Map.of() : chain.redacted().options();
        if (setting.shownOptions().containsValue(Secrets.HIDDEN) || chainOptions.containsValue(Secrets.HIDDEN)) {
            lines.add("# " + Secrets.HIDDEN + " stands for a value that is not written down");
        }
        lines.add(ChainOptions.CHAIN + "=" + (chain == null ? ForwardingChain.NAME : chain.name()));
        chainOptions.forEach((key, value) -> lines.addAll(List.of(ChainOptions.OPTION, quoted(key + "=" + value))));
        properties(setting).forEach((key, value) -> lines.add("--" + key + "=" + value));
        setting.shownOptions().forEach((key, value) -> lines.addAll(List.of("-o", quoted(key + "=" + value))));
        return String.join("\n", lines) + "\n";
    }

    /** Returns the flags that the recommendation chooses; {@code ./baton} and the laboratory's measuring set the others. */
    private static List<String> chosen(List<String> flags) {
        return flags.stream()
                .filter(flag -> flag.startsWith("-Xm") || flag.startsWith("-XX:"))
                .toList();
    }

    /** Returns a setting by the option names of {@code service} and {@code chain}. */
    static Map<String, String> properties(Candidate setting) {
        LoopPlan loops = setting.loops();
        Map<String, String> all = new TreeMap<>();
        all.put("transport", setting.transportName());
        all.put("threading", loops.threading());
        all.put("idle", loops.idle());
        if (loops.latencyBudgetNanos() > 0) {
            all.put("latency-budget", Limit.time(loops.latencyBudgetNanos() / 1_000 * 1_000));
        }
        if (loops.batch() > 0) {
            all.put("batch", Integer.toString(loops.batch()));
        }
        return all;
    }
}
