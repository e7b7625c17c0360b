package dev.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that the README's commands, code and text are right, and the links of all documents. */
@Timeout(60)
class ReadmeTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path README = ROOT.resolve("README.md");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

    @TempDir
    private Path classes;

    @Test
    void fitsOnTwoScreens() throws IOException {
        List<String> lines = Files.readAllLines(README);
        assertThat(lines).hasSizeLessThanOrEqualTo(150);
        assertThat(lines.stream().filter(line -> line.startsWith("#")))
                .containsExactly(
                        "# Baton",
                        "## One command",
                        "## Install",
                        "## A complete chain",
                        "## Choose a transport",
                        "## In production",
                        "## What we measured",
                        "## Limits",
                        "## Read on");
    }

    @Test
    void namesTheArtefactOfTheContract() throws IOException {
        assertThat(Files.readString(README.resolveSibling("transport-tck/pom.xml")))
                .contains("<artifactId>baton-tck</artifactId>");
        assertThat(Files.readString(README)).contains("`dev.baton:baton-tck`");
    }

    @Test
    void itsChainCompilesAndPrintsTheShownOutput() throws Exception {
        String readme = Files.readString(README);
        Path source = Files.writeString(classes.resolve("Orders.java"), block(readme, "java"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options =
                    List.of("-d", "" + classes, "--release", "17", "-Xlint:all,-requires-automatic,-path");
            compiler.getTask(complaints, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
        }
        assertThat(complaints.toString()).isEmpty();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
            Class<?> program = loader.loadClass("Orders");
            String printed = ExamplesTest.printed(
                    () -> program.getMethod("main", String[].class).invoke(null, (Object) new String[0]));
            assertThat(printed.lines())
                    .isNotEmpty()
                    .allSatisfy(line -> assertThat(readme).contains("`" + line + "`"));
            assertThat(printed.lines()).hasSize(2);
        }
    }

    @Test
    void itsDependencyAndFlagsMatchTheBuild() throws IOException {
        String readme = Files.readString(README);
        String parent = Files.readString(ROOT.resolve("pom.xml"));
        assertThat(block(readme, "xml")).contains(element(parent, "groupId"), element(parent, "version"));
        for (String transport : List.of("baton-disruptor", "baton-chronicle", "baton-kafka")) {
            assertThat(block(readme, "xml")).contains(transport);
            assertThat(parent).contains("<artifactId>" + transport + "</artifactId>");
        }
        String flags = element(parent, "chronicle.flags").replaceAll("<.*?>", "");
        String running = Files.readString(ROOT.resolve("docs/running.md"));
        assertThat(running.replaceAll("\\s+", " ")).contains(" " + flags + " ");
        assertThat(running).contains(element(parent, "unsafe.flags").replaceAll("<.*?>", ""));
    }

    @Test
    void itsTestCommandIsThatOfCi() throws IOException {
        assertThat(Files.readString(README)).contains("`mvn verify` runs the tests");
        assertThat(Files.readAllLines(ROOT.resolve(".ci/run")))
                .as("all that it runs, and the tests that take their time")
                .anyMatch(line -> line.startsWith("step mvn -B verify -DexcludedGroups=soak "));
    }

    @Test
    void glossaryHasAtMostThirtySortedEntries() throws IOException {
        List<String> words = Files.readAllLines(ROOT.resolve("docs/glossary.md")).stream()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| word "))
                .map(line -> line.split("\\|")[1].trim())
                .toList();
        assertThat(words).hasSizeBetween(10, 30).isSorted().doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void documentLinksLeadToFilesAndHeadings(String name) throws IOException {
        Path document = ROOT.resolve(name);
        for (String link : links(document)) {
            String[] parts = link.split("#", 2);
            Path target = parts[0].isEmpty()
                    ? document
                    : document.resolveSibling(parts[0]).normalize();
            assertThat(target).as("%s links to %s", name, link).exists();
            if (parts.length == 2) {
                assertThat(anchors(target)).as("%s links to %s", name, link).contains(parts[1]);
            }
        }
    }

    static List<String> documents() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            Stream<Path> pages = docs.filter(file -> file.toString().endsWith(".md"));
            Stream<Path> others = Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "results/README.md")
                    .map(ROOT::resolve);
            return Stream.concat(others, pages)
                    .map(file -> ROOT.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    /** Links of a document to files of the project, without those in code. */
    private static List<String> links(Path document) throws IOException {
        return LINK.matcher(withoutCode(document))
                .results()
                .map(match -> match.group(1))
                .filter(link -> !link.matches("https?:.*"))
                .toList();
    }

    /** The anchors of a document's headings, built from their texts as usual. */
    private static List<String> anchors(Path document) throws IOException {
        return withoutCode(document)
                .lines()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceAll("^#+ ", "")
                        .toLowerCase()
                        .replaceAll("[^a-z0-9 _-]", "")
                        .replace(' ', '-'))
                .toList();
    }

    private static String withoutCode(Path document) throws IOException {
        return Pattern.compile("^```.*?^```", Pattern.DOTALL | Pattern.MULTILINE)
                .matcher(Files.readString(document))
                .replaceAll("");
    }

    /** The content of the first block of code in a language. */
    private static String block(String text, String language) {
        return find(text, "(?s)```" + language + "\n(.*?)```").group(1);
    }

    /** The first element of that name with a text, with its tags. */
    private static String element(String pom, String name) {
        return find(pom, "<" + Pattern.quote(name) + ">[^<]+</" + Pattern.quote(name) + ">")
                .group();
    }

    private static MatchResult find(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing like " + pattern));
    }
}
