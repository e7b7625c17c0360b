package dev.baton.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.lab.results.ResultReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code docs/measure}, the results that it keeps, and the documents that quote them. */
@Timeout(60)
class KeptResultsTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    /** Writes an experiment as a baton of that exit code would. */
    private static final String FAKE_JAVA = """
            #!/bin/sh
            case "$*" in
                -version) echo 'openjdk version "17.0.15"' >&2 ;;
                *doctor*) echo '{"letter":"A"}' ;;
                *) echo "$*" >>%1$s/calls
                   mkdir -p out/one && echo '{"trials":[]}' >out/one/experiment.json
                   echo 'a path' >out/one/processes.log
                   case "$*" in *chaos*) echo '{"runs":[]}' >out/one/chaos.json ;; esac
                   echo the table; echo the cause >&2; exit %2$d ;;
            esac
            """;

    @TempDir
    private Path copy;

    @BeforeAll
    static void needPython() throws Exception {
        boolean isThere = run(ROOT, "sh", "-c", "command -v python3").code() == 0;
        if (!isThere) {
            System.err.println("SKIPPED, as python3 is not on the PATH");
        }
        assumeTrue(isThere, "python3 is not on the PATH");
    }

    @Test
    void keptFilesAreReadWithoutComplaint() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("results"), 3)) {
            assertThat(files.filter(file -> file.endsWith("experiment.json"))
                            .filter(file -> Files.exists(file.resolve("../../measured.json")))
                            .flatMap(file -> ResultReader.read(file.getParent()).complaints().stream()))
                    .isEmpty();
        }
    }

    @Test
    void documentsQuoteKeptResultsOnly() throws Exception {
        Ended check = run(ROOT, "python3", "docs/measure", "--check");
        assertThat(check.output()).isEmpty();
        assertThat(check.code()).isZero();
    }

    @Test
    void alteredTablesAreFoundAndWrittenAgain() throws Exception {
        copyDocuments();
        linkResults();
        Path page = copy.resolve("docs/side-by-side.md");
        String text = Files.readString(page);
        Files.writeString(page, text.replaceFirst("(<!-- measured: [^\n]*\n)", "$1| 5 ns |\n"));
        Ended check = run(copy, "python3", "docs/measure", "--check");
        assertThat(check.output()).contains("docs/side-by-side.md: a table differs from the kept results");
        assertThat(check.code()).isOne();
        assertThat(run(copy, "python3", "docs/measure", "--tables").output()).contains("docs/side-by-side.md");
        assertThat(page).hasContent(text);
    }

    @Test
    void figuresWithoutResultAreFound() throws Exception {
        copyDocuments();
        Files.writeString(
                copy.resolve("docs/page.md"), "# Page\n\nA limit of 500 ms and `1,234 ms`.\n\nIt takes 66.3 ns.\n");
        Ended check = run(copy, "python3", "docs/measure", "--check");
        assertThat(check.output().lines().filter(line -> line.startsWith("docs/page.md")))
                .containsExactly("docs/page.md:5 quotes '66.3 ns', which no kept result has");
        assertThat(check.code()).isOne();
    }

    @Test
    void changedFilesAreFound() throws Exception {
        copyDocuments();
        Path row = Files.createDirectories(copy.resolve("results/host/row"));
        Files.writeString(row.resolve("../measured.json"), "{\"rows\":{}}");
        Files.writeString(row.resolve("a.hlog"), "other");
        Files.writeString(row.resolve("experiment.json"), "{\"trials\":[{\"checksums\":{\"a.hlog\":\"00\"}}]}");
        assertThat(run(copy, "python3", "docs/measure", "--check").output())
                .contains("a.hlog: is missing or was changed after the measurement", "has no doctor.json");
    }

    @Test
    void faultsThatWereNotSurvivedHaveNoRecovery() throws Exception {
        copyDocuments();
        Path row = Files.createDirectories(copy.resolve("results/host/faults-chronicle"));
        Files.writeString(
                row.resolve("../measured.json"),
                "{\"rows\":{\"faults-chronicle\":{\"exit\":1,\"arguments\":[\"chaos\",\"--seed\",\"7\",\"--transport\","
                        + "\"chronicle\",\"--faults\",\"3\"]}}}");
        String fault = "{\"fault\":{\"kind\":\"PAUSE\"},\"recoveryNanos\":%d}";
        String faults = String.format(Locale.ROOT, String.join(",", fault, fault, fault), 0, 0, 800_000_000);
        Files.writeString(
                row.resolve("chaos.json"),
                "{\"runs\":[{\"faults\":[" + faults
                        + "],\"accounts\":[{\"topics\":[{\"highest\":9}],\"vouched\":9}]}]}");
        Path page = Files.writeString(
                copy.resolve("docs/page.md"), "<!-- measured: faults on host -->\n<!-- /measured -->\n");
        run(copy, "python3", "docs/measure", "--tables");
        assertThat(page).content().contains("| 3 | 9 | 800 ms | 800 ms (pause) | **FAILED** |");
    }

    @Test
    void searchKeepsLastLogsThatItsAnswersName() throws Exception {
        String trials = "";
        for (String name : List.of("001-baton-n64", "002-baton-n1056", "003-baton-n1056")) {
            Files.writeString(copy.resolve(name + ".hlog"), "log");
            Files.writeString(copy.resolve(name + ".trial.json"), "{\"hlog\" : \"" + name + ".hlog\"}");
            trials += (trials.isEmpty() ? "" : ",") + "{\"checksums\":{\"" + name + ".hlog\" : \"" + sha(name + ".hlog")
                    + "\", \"" + name + ".trial.json\" : \"" + sha(name + ".trial.json") + "\"}}";
        }
        Files.writeString(copy.resolve("experiment.json"), "{\"trials\":[" + trials + "]}");
        Files.writeString(copy.resolve("headline.json"), "{\"answers\":[\"1,056 chains keep the limit\"]}");
        String call = "import sys; from importlib.machinery import SourceFileLoader; from pathlib import Path;"
                + " sys.dont_write_bytecode = True;"
                + " SourceFileLoader('measure', sys.argv[1]).load_module().drop_logs(Path('.'))";
        Ended ended = run(copy, "python3", "-W", "ignore", "-c", call, ROOT.resolve("docs/measure") + "");
        assertThat(ended.code()).as(ended.output()).isZero();
        assertThat(copy.resolve("001-baton-n64.hlog")).doesNotExist();
        assertThat(copy.resolve("001-baton-n64.trial.json")).hasContent("{\"hlog\" : null}");
        assertThat(copy.resolve("002-baton-n1056.hlog")).doesNotExist();
        assertThat(copy.resolve("003-baton-n1056.hlog")).exists();
        assertThat(copy.resolve("experiment.json"))
                .content()
                .contains(
                        sha("001-baton-n64.trial.json"), sha("002-baton-n1056.trial.json"), sha("003-baton-n1056.hlog"))
                .doesNotContain("001-baton-n64.hlog");
    }

    private String sha(String file) throws Exception {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(copy.resolve(file)));
        return HexFormat.of().formatHex(hash);
    }

    @Test
    void rowsAreMeasuredOnce() throws Exception {
        assertThat(measure(0)).contains("hops", "exit 0", "transit-1k-256-spin");
        assertThat(measure(0)).doesNotContain("exit 0");
        assertThat(Files.readAllLines(copy.resolve("calls"))).hasSize(2);
        assertThat(copy.resolve("host/transit-1k-256-spin/output.txt")).hasContent("the table");
    }

    @Test
    void rowsWithAnotherJarAreMeasuredAgain() throws Exception {
        measure(0);
        Files.writeString(copy.resolve("jar"), "another");
        assertThat(measure(0)).contains("exit 0");
    }

    @Test
    void failedRowsAreKeptWithTheirExitCode() throws Exception {
        measure(1);
        assertThat(copy.resolve("host/measured.json")).content().contains("\"exit\": 1");
        assertThat(copy.resolve("host/transit-1k-256-spin/experiment.json")).exists();
    }

    @Test
    void ofFaultsTheirAccountAloneIsKept() throws Exception {
        measure(0, "--only", "faults-chronicle-composed");
        try (Stream<Path> kept = Files.list(copy.resolve("host/faults-chronicle-composed"))) {
            assertThat(kept.map(each -> each.getFileName().toString()))
                    .containsExactlyInAnyOrder("chaos.json", "output.txt");
        }
    }

    @Test
    void rowsThatDoNotFitLimitAreLeft() throws Exception {
        assertThat(measure(0, "--limit", "5")).contains("2 rows are left");
        assertThat(copy.resolve("calls")).doesNotExist();
    }

    @Test
    void wrongOptionsAreUsageErrors() throws Exception {
        Path script = ROOT.resolve("docs/measure");
        assertThat(run(copy, "python3", script + "", "--only", "nothing").code())
                .isEqualTo(2);
        Files.writeString(copy.resolve("jar"), "a jar");
        assertThat(run(copy, "python3", script + "", "--compare", "--jar", "jar")
                        .code())
                .isEqualTo(2);
    }

    private String measure(int exitCode, String... more) throws Exception {
        Path java = copy.resolve("jdk/bin/java");
        Files.createDirectories(java.getParent());
        Files.writeString(java, String.format(Locale.ROOT, FAKE_JAVA, copy, exitCode));
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
        if (Files.notExists(copy.resolve("jar"))) {
            Files.writeString(copy.resolve("jar"), "a jar");
        }
        List<String> command = new ArrayList<>(List.of("python3", ROOT.resolve("docs/measure") + "", "--window", "1"));
        command.addAll(List.of(
                "--jar", "jar", "--java", "jdk", "--out", "host", "--only", "transit-1k-256-spin", "--only", "hops"));
        command.addAll(List.of(more));
        Ended ended = run(copy, command.toArray(String[]::new));
        assertThat(ended.code()).as(ended.output()).isZero();
        return ended.output();
    }

    private void copyDocuments() throws IOException {
        Files.createDirectories(copy.resolve("docs"));
        Files.createDirectories(copy.resolve("results"));
        Files.copy(ROOT.resolve("README.md"), copy.resolve("README.md"));
        try (Stream<Path> pages = Files.list(ROOT.resolve("docs"))) {
            for (Path page : pages.filter(Files::isRegularFile).toList()) {
                Files.copy(page, copy.resolve("docs").resolve(page.getFileName()));
            }
        }
    }

    private void linkResults() throws IOException {
        try (Stream<Path> kept = Files.list(ROOT.resolve("results"))) {
            for (Path each : kept.toList()) {
                Files.createSymbolicLink(copy.resolve("results").resolve(each.getFileName()), each);
            }
        }
    }

    private record Ended(int code, String output) {}

    private static Ended run(Path directory, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), output);
    }
}
