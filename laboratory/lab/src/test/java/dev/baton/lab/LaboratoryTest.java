package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.launch.FakeTrial;
import dev.baton.lab.results.ResultFolder;
import dev.baton.lab.results.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line with transports and children that measure nothing. */
@Tag("slow")
class LaboratoryTest {
    @TempDir
    private Path temporary;

    private FakeLaboratory laboratory;

    @BeforeEach
    void furnish() {
        laboratory = new FakeLaboratory(FakeTrial.class);
    }

    @Test
    void withoutArgumentsItPrintsItsHelp() {
        assertThat(laboratory.run()).isZero();
        assertThat(laboratory.out()).contains("Usage: baton", "chain", "transports", "help", "Exit codes: 0 ");
        assertThat(laboratory.err()).isEmpty();
    }

    @Test
    void listOfCommandsQuotesFirstClauses() {
        assertThat(laboratory.columns(80).run("--help")).isZero();
        assertThat(laboratory.out())
                .contains("  chain            Measures a chain of services over each transport\n")
                .contains("  help             Display help information about")
                .containsSubsequence("Measurements:", "Studies:", "Results:", "Operation:", "Tools:")
                .doesNotContain("each in a fresh JVM");
        assertThat(laboratory.out().lines())
                .hasSizeLessThanOrEqualTo(60)
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void versionAndJavaArePrinted() {
        assertThat(laboratory.run("--version")).isZero();
        assertThat(laboratory.out()).startsWith("baton ").contains(System.getProperty("java.vm.version"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"chain", "transit", "window", "jitter", "load", "soak", "density", "advise", "chaos", "service"})
    void helpFitsOnOneScreen(String command) {
        assertThat(laboratory.columns(80).run(command, "--help")).isZero();
        assertThat(laboratory.out().lines())
                .hasSizeLessThanOrEqualTo(45)
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void helpGroupsTheUsualOptions() {
        assertThat(laboratory.run("chain", "--help")).isZero();
        assertThat(laboratory.out())
                .containsSubsequence(
                        "What runs:",
                        "--transport",
                        "Load:",
                        "--rate",
                        "Where:",
                        "JVM:",
                        "--gc",
                        "Output:",
                        "--help-all")
                .doesNotContain("Expert:", "--tail");
    }

    @Test
    void wholeHelpExplainsEveryOption() {
        assertThat(laboratory.run("chain", "--help-all")).isZero();
        assertThat(laboratory.out())
                .contains("--transport", "--services", "--instances", "--rate", "--warmup", "--duration", "--payload")
                .contains("--threading", "--idle", "--latency-budget", "--bootstrap-servers", "-o", "--dir", "--out")
                .contains("--seed", "--heap", "--keep", "Expert:", "--tail");
    }

    @ParameterizedTest
    @ValueSource(strings = {"chain", "density", "matrix", "doctor", "transports", "compare"})
    void aCommandExplainsItselfWhereItIsTyped(String command) {
        assertThat(laboratory.run("help", command)).isZero();
        String explanation = laboratory.out();
        FakeLaboratory asked = new FakeLaboratory(FakeTrial.class);
        assertThat(asked.run(command, "--help")).isZero();
        assertThat(asked.out()).isEqualTo(explanation).contains("Usage: baton " + command, "-h, --help");
        assertThat(asked.err()).isEmpty();
    }

    @Test
    void transportsAreListedWithGuaranteesAndOptions() {
        assertThat(laboratory.run("transports")).isZero();
        assertThat(laboratory.out()).isEqualTo("""
                        filing
                          a stand-in called filing
                          guarantees: survives the process, crosses processes
                          -o size=4   1 to 10
                                      how big
                          -o do=pass  anything
                                      what the child does
                          -o dir=...  a directory
                                      where it keeps files

                        plain
                          a stand-in called plain
                          guarantees: only those of the contract of all transports
                          -o size=4   1 to 10
                                      how big
                          -o do=pass  anything
                                      what the child does

                        remote
                          a stand-in called remote
                          guarantees: survives the process, crosses processes
                          -o do=pass                anything
                                                    what the child does
                          -o bootstrap-servers=...  HOST:PORT
                                                    where the brokers are
                        """);
    }

    @Test
    void chainIsMeasuredOverEachTransport() {
        assertThat(chain("--transport", "plain,filing", "-o", "filing.size=3")).isZero();
        assertThat(laboratory.out())
                .contains("plain", "filing", "files: ")
                .containsPattern("verdict +delivered +delivered\n")
                .doesNotContain("PASS");
        assertThat(laboratory.err()).contains("[1/2] plain: warming up for 5s", "[2/2] filing: warming up for 5s");
        assertThat(results().get(0)).isDirectoryContaining("glob:**/experiment.json");
        assertThat(results().get(0)).isDirectoryContaining("glob:**/plain.trial.json");
        assertThat(temporary.resolve("data")).doesNotExist();
    }

    @Test
    void lostMessageFailsAndIsLocated() {
        assertThat(chain("--transport", "plain", "-o", "do=lose")).isEqualTo(1);
        assertThat(laboratory.out()).contains("FAIL", "lost: instance 1, message 7: never arrived");
        assertThat(laboratory.err()).endsWith("baton: plain failed: 1 message lost\n");
    }

    @Test
    void loadsBeyondTheGreatestRateAreLeftOut() {
        assertThat(chain("--transport", "plain", "-o", "do=carry-9000", "--curve", "1%..200%"))
                .as(laboratory.err())
                .isZero();
        assertThat(laboratory.out())
                .contains("maximum 9,000,000 msg/s", "86 %", "not measured, as an instance is sent at most")
                .contains("10,000,000 msg/s: 115 %, 143 %, 172 %, 200 %");
        assertThat(results().get(0).resolve("report.html"))
                .content()
                .contains(
                        "Latency over load, 1 % to 200 % of the maximum; ",
                        "plain: maximum 9,000,000 msg/s; the highest load that was reached is 86 %, ");
    }

    @Test
    void trialWhoseJvmWasTerminatedIsNoSuccess() {
        assertThat(chain("--transport", "plain,filing", "-o", "plain.do=terminated"))
                .as(laboratory.err())
                .isEqualTo(4);
        assertThat(laboratory.complaints()).containsExactly("baton: plain is inconclusive: interrupted by a signal");
    }

    @Test
    void aTrialThatTheMachineSpoiltIsInconclusive() {
        assertThat(chain("--transport", "plain,filing", "-o", "plain.do=disturbed"))
                .isEqualTo(4);
        assertThat(laboratory.out()).contains("INCONCLUSIVE");
        assertThat(laboratory.err()).endsWith("baton: plain is inconclusive: the machine stalled\n");
    }

    @Test
    void failureIsWorseThanSpoiltTrial() {
        assertThat(chain("--transport", "plain,filing", "-o", "plain.do=lose", "-o", "filing.do=disturbed"))
                .isEqualTo(1);
    }

    @Test
    void aLimitLengthensTheMeasurementUntilAVerdict() throws IOException {
        assertThat(chain("--transport", "plain", "--limit", "p50<1ms,p99.9<5ms", "--rate", "2000"))
                .isZero();
        String plan = Files.readString(results().get(0).resolve("plain.trial.json"));
        assertThat(plan)
                .containsPattern("\"measureNanos\" : 51000000000")
                .containsPattern("\"percentile\" : 99.9,\\s+\"nanos\" : 5000000,\\s+\"leastSamples\" : 100");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--duration 5s | --duration 5s is too short to judge p99.9 < 5ms: it takes 101s",
                "--rate max    | --limit judges response times at a rate, and --rate max has none"
            })
    void limitsThatCannotBeJudgedAreRefused(String option, String complaint) {
        String[] typed = option.trim().split(" ");
        assertThat(chain("--transport", "plain", "--limit", "p99.9<5ms", typed[0], typed[1]))
                .isEqualTo(2);
        assertThat(laboratory.err()).contains(complaint);
    }

    @Test
    void failedBrokerIsEnvironmentErrorOthersAreShown() {
        assertThat(chain("--transport", "remote,plain")).isEqualTo(3);
        assertThat(laboratory.out()).contains("plain").containsPattern("verdict +delivered\n");
        assertThat(laboratory.err()).endsWith("baton: remote: no broker here\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "client.security.protocol=FOO  | kafka: 'client.security.protocol' is refused by Kafka: Invalid value FOO",
                "client.security.protocol=SSL  | brokers that are started for a trial know PLAINTEXT alone",
                "producer.send.buffer.bytes=x  | kafka: 'producer.send.buffer.bytes' is refused by Kafka",
                "replication=3                 | -o replication=3 needs as many brokers; 1 is started",
                "topic.retention.ms=abc        | kafka: a broker refuses a setting of topics: Invalid value abc",
                "topic.retention.mss=1         | kafka: a broker refuses a setting of topics: Unknown topic config"
            })
    void invalidBrokerOptionsAreRefusedBeforeStart(String option, String complaint) {
        laboratory = FakeLaboratory.withRealTransports(FakeTrial.class);
        assertThat(chain("--transport", "kafka", "-o", option)).isEqualTo(2);
        assertThat(laboratory.complaints()).hasSize(1);
        assertThat(laboratory.complaints().get(0)).contains(complaint);
    }

    @Test
    void primitiveQueuesAreShownNextToTransports() {
        assertThat(chain("--transport", "plain", "--engine", "baton,primitive:jctools-spsc,primitive:agrona-ring"))
                .isZero();
        assertThat(laboratory.out())
                .contains("plain baton", "jctools-spsc primitive", "agrona-ring primitive")
                .containsPattern("jctools-spsc, agrona-ring: primitive\\s+queues,\\s+no\\s+transports");
        assertThat(results().get(0)).isDirectoryContaining("glob:**/agrona-ring-primitive.trial.json");
    }

    @Test
    void primitiveQueuesNeedNoTransport() {
        assertThat(chain("--transport", "plain", "--engine", "primitive:array-blocking-queue"))
                .isZero();
        assertThat(laboratory.err())
                .contains("array-blocking-queue primitive: warming up")
                .doesNotContain("plain");
    }

    @Test
    void commandLineIsStoredUnchanged() throws Exception {
        chain("--transport", "plain", "-o", "do=pass", "-o", "size=3");
        assertThat(Files.readString(results().get(0).resolve("experiment.json")))
                .contains("\"size=3\"")
                .contains("\"commandLine\" : [ \"chain\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    --transport nosuch       | 2 | unknown transport 'nosuch'; known: filing, plain, remote, or all
                    --transport ,            | 2 | unknown transport ''; known: filing, plain, remote, or all
                    --services 0             | 2 | --services 0 is out of range; 1 to 1000
                    --services 2.5           | 2 | --services 2.5 is not a whole number; 1 to 1000
                    --instances -1           | 2 | --instances -1 is out of range; 1 to 100000
                    --rate 0.0001            | 2 | --rate 0.0001 is out of range; 0.001 to 10000000 messages per second
                    --arrivals burst         | 2 | 'burst' is not known; steady, poisson or bursts:N
                    --rate max --arrivals poisson | 2 | --rate max has none
                    --latency-from sent      | 2 | --latency-from 'sent' is not known; slot or send
                    --latency-from send      | 2 | --latency-from send omits the delay of a late sender
                    --rate -5                | 2 | --rate -5 is out of range
                    --rate fast              | 2 | 'fast' is not a number; write one such as 1000, 0.5 or 20k, or max
                    --warmup 0s              | 2 | --warmup 0s is out of range; 1ms to 24h
                    --duration -5s           | 2 | '-5s' is negative; write a time such as 20ms or 30s
                    --duration 30            | 2 | '30' is not a time; write a number and ns, us, ms, s, m or h
                    --duration 0s            | 2 | --duration 0s is out of range; 1ms to 24h
                    --duration 8000h         | 2 | --duration 8000h is out of range; 1ms to 24h
                    --payload -1             | 2 | '-1' is not a size; write one such as 256, 4k
                    --payload 501            | 2 | --payload 501 is more than plain carries; 0 to 500 bytes
                    --threading cooperative  | 2 | unknown threading 'cooperative'; known: cooperative:N with N threads
                    --threading cooperative:0| 2 | 0 loops; from 1 to 1024 are allowed
                    --threading many         | 2 | unknown threading 'many'; known: cooperative:N
                    --idle sleep             | 2 | unknown idle strategy 'sleep'; known: default, spin, yielding, backoff
                    --idle park              | 2 | unknown idle strategy 'park'; known: default, spin
                    --idle park:0us          | 2 | a pause must be longer than zero
                    --engine steam           | 2 | unknown engine 'steam'; known: baton, reference, reference-cooperative, reference-article
                    --engine baton,          | 2 | unknown engine ''; known: baton, reference, reference-cooperative, reference-article
                    --engine reference       | 2 | engine reference has no loops for plain; it has some for disruptor,
                    --engine primitive:steam | 2 | unknown primitive queue 'steam'; known: jctools-spsc, agrona-ring,
                    --engine primitive:      | 2 | unknown primitive queue ''; known: jctools-spsc,
                    --engine primitives      | 2 | unknown engine 'primitives'; known: baton, reference
                    --engine primitive --processes per-service | 2 | --processes: jctools-spsc cannot run a chain in several processes
                    --engine primitive --idle backoff | 2 | have no idle strategy 'backoff'; known: default, spin
                    --latency-budget 1us     | 2 | --latency-budget 1us is out of range; 100us to 1m
                    --heap 256               | 2 | --heap '256' is not allowed; 16m to 1024g bytes, such as 256m or 2g
                    --heap 1m                | 2 | --heap '1m' is not allowed
                    --seed x                 | 2 | 'x' is not a whole number
                    --tail 49                | 2 | --tail 49 is out of range; 50 to 99.9999
                    --tail 100               | 2 | --tail 100 is out of range; 50 to 99.9999
                    --tail p99               | 2 | 'p99' is not a number; write one such as
                    --stages all             | 2 | --stages 'all' is not known; auto, on or off
                    --observers none         | 2 | --observers 'none' is not known; on or off
                    --nosuch=1               | 2 | Unknown option: '--nosuch=1'
                    surplus                  | 2 | 'surplus' is not expected
                    @nofile                  | 2 | there is no file nofile (@FILE reads arguments from a file)
                    --engin=baton            | 2 | Unknown option: '--engin=baton'; did you mean '--engine'?
                    -o size                  | 2 | -o 'size' is not key=value; write it like -o kafka.acks=1
                    -o =3                    | 2 | -o '=3' is not key=value
                    -o colour=red            | 2 | -o colour: unknown option 'colour'; known: plain size, do; 'baton transports' describes them
                    -o plain.colour=red      | 2 | -o plain.colour: unknown option 'colour'; known: plain size, do;
                    -o sise=3                | 2 | -o sise: unknown option 'sise'; did you mean 'size'? Known: plain size,
                    --tranport=x             | 2 | Unknown option: '--tranport=x'; did you mean '--transport'? See 'baton help chain'
                    --curve --quick          | 2 | --curve has no value; write --curve=A%..B%: latency over load
                    -o filing.size=3         | 2 | -o filing.size: filing is not selected; --transport names plain
                    -o size=11               | 2 | plain: size='11' is not allowed; 1 to 10
                    -o size=big              | 2 | plain: size='big' is not allowed; 1 to 10
                    --bootstrap-servers a:1  | 2 | --bootstrap-servers is for kafka, which --transport does not name
                    --brokers 3              | 2 | --brokers is for kafka, which --transport does not name
                    --transport remote --brokers 2   | 2 | --brokers 2: the loss of either stops both; 1 or 3
                    --transport remote --brokers 4   | 2 | --brokers 4 is out of range; 1 to 3
                    --transport remote --brokers x   | 2 | --brokers
                    --transport remote --brokers 3 --bootstrap-servers a:1 | 2 | --brokers starts brokers of our own;
                    --dir /proc/nowhere      | 3 | --dir /proc/nowhere cannot be written to:
                    --out --no-such-option   | 2 | '--no-such-option' looks like an option; a path that begins so
                    --out /proc/nowhere      | 3 | --out /proc/nowhere cannot be written to:
                    -o do=unreachable        | 3 | plain: no broker at localhost:1 answered within 5 s
                    -o do=refuse             | 2 | plain: size=11 is not allowed; 1 to 10
                    """)
    void invalidInputIsRefusedInOneLine(String arguments, int code, String line) {
        String[] typed = arguments.split(" ");
        boolean isAboutTransports = typed[0].equals("--transport");
        assertThat(isAboutTransports ? chain(typed) : chain(typed, "--transport", "plain"))
                .isEqualTo(code);
        assertThat(laboratory.complaints()).hasSize(1);
        assertThat(laboratory.complaints().get(0)).startsWith("baton: ").contains(line);
        assertThat(laboratory.out()).isEmpty();
        assertThat(temporary).isEmptyDirectory();
    }

    @ParameterizedTest
    @CsvSource({"chian", "help chian", "chian --quick"})
    void unknownCommandIsNamedWithSimilarOne(String arguments) {
        assertThat(laboratory.run(arguments.split(" "))).isEqualTo(2);
        assertThat(laboratory.complaints())
                .containsExactly("baton: there is no command 'chian'; did you mean 'chain'? See 'baton help'");
    }

    @Test
    void missingArgumentFileIsNamedBeforeMissingOptions() {
        assertThat(laboratory.run("service", "@nofile")).isEqualTo(2);
        assertThat(laboratory.complaints().get(0)).startsWith("baton: there is no file nofile (@FILE reads");
    }

    @Test
    void virtualThreadsAreRefusedOnOldJvm() {
        int code = chain("--transport", "plain", "--threading", "virtual");
        if (Runtime.version().feature() < 21) {
            assertThat(code).isEqualTo(3);
            assertThat(laboratory.complaints().get(0))
                    .startsWith("baton: --threading virtual needs JDK 21 or later, this is JDK 17;");
        } else {
            assertThat(code).isZero();
        }
    }

    @Test
    void aQuickChainIsProvisional() throws IOException {
        assertThat(chain("--transport", "plain", "--quick")).isZero();
        assertThat(laboratory.out()).contains("\nprovisional (--quick): short trials, do not quote their figures\n");
        assertThat(readTrial("plain").plan().phases().isProvisional()).isTrue();
    }

    @Test
    void wholeChainIsNotProvisional() throws IOException {
        assertThat(chain("--transport", "plain")).isZero();
        assertThat(laboratory.out()).doesNotContain("provisional");
        assertThat(readTrial("plain").plan().phases().isProvisional()).isFalse();
    }

    private TrialResult readTrial(String id) throws IOException {
        return ResultFolder.readTrial(new ResultFolder(results().get(0)).trialFile(id));
    }

    private int chain(String[] typed, String... more) {
        List<String> all = new ArrayList<>(List.of(more));
        all.addAll(List.of(typed));
        return chain(all.toArray(String[]::new));
    }

    private int chain(String... typed) {
        List<String> arguments = new ArrayList<>(List.of("chain"));
        List<String> given = List.of(typed);
        if (!given.contains("--out")) {
            arguments.addAll(List.of("--out", temporary.resolve("results").toString()));
        }
        if (!given.contains("--dir")) {
            arguments.addAll(List.of("--dir", temporary.resolve("data").toString()));
        }
        arguments.addAll(given);
        return laboratory.run(arguments.toArray(String[]::new));
    }

    private List<Path> results() {
        try (Stream<Path> folders = Files.list(temporary.resolve("results"))) {
            return folders.toList();
        } catch (IOException none) {
            throw new AssertionError(none);
        }
    }
}
