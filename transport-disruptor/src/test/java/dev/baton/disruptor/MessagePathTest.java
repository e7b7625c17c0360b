package dev.baton.disruptor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The files that CONTRIBUTING.md names for one message's way, against the code. */
class MessagePathTest {
    private static final int MAX_FILES = 17;
    private static final Path ROOT = Path.of("..");
    private static final Pattern LINE = Pattern.compile("(\\d+)\\. \\[(\\w+)]\\((\\S+/(\\w+)\\.java)\\): .*");

    @Test
    void listHasAtMostSeventeenExistingFiles() throws IOException {
        List<Integer> numbers = new ArrayList<>();
        Map<String, Path> files = new LinkedHashMap<>();
        for (Matcher line : lines()) {
            numbers.add(Integer.valueOf(line.group(1)));
            assertThat(line.group(2)).isEqualTo(line.group(4));
            assertThat(files.put(line.group(2), ROOT.resolve(line.group(3)))).isNull();
        }
        assertThat(numbers)
                .hasSizeBetween(1, MAX_FILES)
                .startsWith(1)
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(numbers.get(numbers.size() - 1)).isEqualTo(numbers.size());
        assertThat(files.values()).allSatisfy(file -> assertThat(file).isRegularFile());
    }

    @Test
    void everyClassOnTheMessagePathIsListed() throws IOException {
        Set<String> seen = new TreeSet<>();
        try (DisruptorTransport transport = DisruptorTransport.create(DisruptorOptions.defaults());
                Loops loops = Loops.manual();
                RunningChain chain = Chain.named("path")
                        .then("forward", () -> (in, out) -> {
                            addCallers(seen);
                            out.forward(in);
                        })
                        .build()
                        .on(transport)
                        .with(loops)
                        .onOutput(in -> addCallers(seen))
                        .start()) {
            chain.inlet().send(new byte[8]);
            loops.turn();
        }
        assertThat(seen).contains("DutyCycle", "RingReader", "SinkService");
        Set<String> listed = new TreeSet<>();
        lines().forEach(line -> listed.add(line.group(2)));
        seen.removeAll(Set.of("Loops", "LoopPool", "MessagePathTest")); // the caller of the manual loop
        assertThat(listed).containsAll(seen);
    }

    private static void addCallers(Set<String> seen) {
        StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).forEach(frame -> {
            String name = frame.getDeclaringClass().getName();
            if (name.startsWith("dev.baton.")) {
                seen.add(name.substring(name.lastIndexOf('.') + 1).replaceAll("\\$.*", ""));
            }
        });
    }

    private static List<Matcher> lines() throws IOException {
        return Files.readAllLines(ROOT.resolve("CONTRIBUTING.md")).stream()
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .toList();
    }
}
