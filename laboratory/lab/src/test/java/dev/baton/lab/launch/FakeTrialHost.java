package dev.baton.lab.launch;

import dev.baton.lab.FixedResults;
import dev.baton.lab.protocol.Event;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Incident;
import dev.baton.lab.results.IntervalLog;
import dev.baton.lab.results.Json;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.study.window.WindowStudy;
import dev.baton.operations.line.CommandException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells a {@link FakeTrial} what to do: what the value of the transport's option {@code do} says. There is one host per
 * JVM; each child has a daemon thread of its own until the child ends. Confined to that thread.
 */
public final class FakeTrialHost {
    private static final String C1 = "-XX:TieredStopAtLevel=1";

    /** Of children that measure nothing: they touch no heap ahead, and have the serial collector unless a plan names another. */
    private static final List<String> FAKE =
            List.of(C1, "-XX:-AlwaysPreTouch", "-XX:+NeverActAsServerClassMachine", "-XX:-UsePerfData");

    private final DataInputStream answers;
    private final DataOutputStream orders;
    private final long pid;
    private final PlacedTrial trial;

    private FakeTrialHost(DataInputStream answers, DataOutputStream orders, String planFile) throws IOException {
        this.answers = answers;
        this.orders = orders;
        this.pid = answers.readLong();
        this.trial = Json.read(Path.of(planFile), PlacedTrial.class);
    }

    /** A program for children that live a second, with C1 alone: C2 would take more than half of their CPU time. */
    public static TrialProgram program(Class<?> main) {
        boolean isFake = main.getName().startsWith(FakeTrial.class.getName());
        if (!isFake) {
            return new TrialProgram(main, List.of(C1));
        }
        List<String> flags = new ArrayList<>(FAKE);
        flags.add("-D" + FakeTrial.PORT + "=" + Server.PORT);
        return new TrialProgram(main, flags);
    }

    /** Starts with the first fake trial, and ends with the JVM. */
    private static final class Server {
        static final int PORT = open();

        private static int open() {
            try {
                ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                start("fake-trials", () -> {
                    while (true) {
                        Socket child = server.accept();
                        start("fake-trial", () -> serve(child));
                    }
                });
                return server.getLocalPort();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }

        private interface Task {
            void run() throws IOException;
        }

        private static void start(String name, Task task) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            task.run();
                        } catch (IOException gone) {
                            // the child was killed
                        }
                    },
                    name);
            thread.setDaemon(true);
            thread.start();
        }

        private static void serve(Socket child) throws IOException {
            try (child) {
                child.setTcpNoDelay(true);
                DataInputStream answers = new DataInputStream(child.getInputStream());
                DataOutputStream orders = new DataOutputStream(child.getOutputStream());
                String program = answers.readUTF();
                FakeTrialHost host = new FakeTrialHost(answers, orders, answers.readUTF());
                if (program.equals(FakeTrial.Worse.class.getName())) {
                    host.worse();
                } else if (program.equals(FakeTrial.Indiscreet.class.getName())) {
                    host.indiscreet();
                } else {
                    host.act(host.trial.subject().options().getOrDefault("do", "pass"));
                }
            }
        }
    }

    private void act(String act) throws IOException {
        say(new Event.Ready(pid));
        say(new Event.Progress(Event.Phase.WARMUP, 1, 2L, 1, 1000L, 2000L));
        String queues = trial.place().queueDirectory();
        if (queues != null) {
            Files.writeString(Path.of(queues, "queue"), "data");
        }
        switch (act) {
            case "pass" -> finish(new Outcome(Verdict.PASS, List.of()), 0);
            case "lose" -> finish(new Outcome(Verdict.FAIL, List.of("1 message lost")), 1);
            case "disturbed" -> finish(new Outcome(Verdict.INCONCLUSIVE, List.of("the machine stalled"), true), 0);
            case "crowd" ->
                write(FixedResults.crowded(result(new Outcome(Verdict.PASS, List.of()), 0, 1000), 1.85, 0.6));
            case "stop" -> finish(new Outcome(Verdict.FAIL, List.of("instance 1 stopped: no disk")), 0);
            case "die" -> {
                complain("Exception in thread \"main\" java.lang.NoClassDefFoundError: com/acme/Missing");
                exit(7);
            }
            case "die-2" -> {
                if (trial.plan().id().endsWith("-p2")) {
                    exit(7);
                } else {
                    waitForTheEnd();
                }
            }
            case "die-2-then-1" -> {
                if (!trial.plan().id().endsWith("-p2")) {
                    orders.writeByte(FakeTrial.AWAIT_END);
                    answers.readByte();
                }
                exit(trial.plan().id().endsWith("-p2") ? 7 : 9);
            }
            case "refuse" -> fail(new Event.Failed(CommandException.Kind.USAGE, "size=11 is not allowed; 1 to 10"));
            case "unreachable" ->
                fail(new Event.Failed(
                        CommandException.Kind.ENVIRONMENT, "no broker at localhost:1 answered within 5 s"));
            case "wait" -> waitForTheEnd();
            case "terminated" -> finish(new Outcome(Verdict.INTERRUPTED, List.of("interrupted by a signal")), 0);
            case "need-100m" -> {
                if (trial.plan().study().memory().totalBytes() < 100 << 20) {
                    complain("Terminating due to java.lang.OutOfMemoryError: Java heap space");
                    exit(3);
                } else {
                    finish(new Outcome(Verdict.PASS, List.of()), 0);
                }
            }
            default -> {
                if (act.startsWith("keep-")) {
                    keep(Integer.parseInt(act.replaceFirst("keep-", "")));
                } else if (act.startsWith("carry-")) {
                    double share = Double.parseDouble(act.replaceFirst("carry-", ""));
                    write(FixedResults.carrying(result(new Outcome(Verdict.PASS, List.of()), 0, 1000), share));
                } else if (act.startsWith("cost-")) {
                    cost(act.split("-"));
                } else {
                    hold(Integer.parseInt(act.replaceFirst("hold-", "")));
                }
            }
        }
    }

    private void indiscreet() throws IOException {
        orders.writeByte(FakeTrial.READ_LINE);
        String told = answers.readUTF();
        String user = told.replaceFirst(".*username=..([^\\\\]*).*", "$1");
        String password = told.replaceFirst(".*password=..([^\\\\]*).*", "$1");
        String login = "login as " + user + " with " + password + " failed";
        complain(login + "; the plan's file says " + trial.subject().options().get("client.sasl.jaas.config"));
        fail(new Event.Failed(CommandException.Kind.FAILURE, login));
    }

    private void worse() throws IOException {
        if (trial.subject().transport().equals("filing")) {
            exit(7);
        } else {
            say(new Event.Ready(pid));
            finish(new Outcome(Verdict.FAIL, List.of("1 message lost")), 1);
        }
    }

    private void waitForTheEnd() throws IOException {
        orders.writeByte(FakeTrial.AWAIT_END);
        answers.readByte();
        finish(new Outcome(Verdict.INTERRUPTED, List.of("stopped early")), 0);
    }

    private void hold(int most) throws IOException {
        boolean isPass = trial.plan().shape().instances() <= most;
        finish(new Outcome(isPass ? Verdict.PASS : Verdict.FAIL, isPass ? List.of() : List.of("too many")), 0);
    }

    /** One step in fifty is late with more keys than these. */
    private void keep(int mostKeys) throws IOException {
        boolean isKept = ((WindowStudy) trial.plan().study()).keys() <= mostKeys;
        TrialResult any = result(new Outcome(Verdict.PASS, List.of()), 0, 1000);
        write(FixedResults.responding(any, 10_000, isKept ? 0 : 200, 20_000_000));
    }

    /** @param words behind the first, microseconds: CPU time of a message, and p99.9 of the responses */
    private void cost(String[] words) throws IOException {
        long nanos = 1_000 * Long.parseLong(words[2]);
        boolean isPass = trial.plan().limits().stream().allMatch(limit -> nanos < limit.nanos());
        Outcome outcome = new Outcome(
                isPass ? Verdict.PASS : Verdict.FAIL, isPass ? List.of() : List.of("p99.9 of " + Limit.time(nanos)));
        TrialResult any = result(outcome, 0, nanos / FixedResults.P999_OVER_P50);
        write(FixedResults.using(any, Long.parseLong(words[1]) * any.rate().achievedPerSecond() / 1e6));
    }

    private void finish(Outcome outcome, long lost) throws IOException {
        write(result(outcome, lost, 1000));
    }

    private TrialResult result(Outcome outcome, long lost, long p50Nanos) {
        List<Incident> incidents =
                lost == 0 ? List.of() : List.of(new Incident(1, 7, Incident.Kind.LOST, "never arrived"));
        Delivery delivery = new Delivery(10, 10 - lost, lost, 0, 0, 0, 0, 0, incidents, 0);
        return FixedResults.result(trial.plan().redacted(), trial.place(), p50Nanos, delivery, outcome);
    }

    private void write(TrialResult result) throws IOException {
        Path file = Path.of(trial.place().resultDirectory(), trial.plan().id() + ".trial.json");
        Json.write(file, result);
        try (IntervalLog log = IntervalLog.create(
                Path.of(trial.place().resultDirectory(), trial.plan().id() + ".hlog"), "measured nothing", 0)) {
            log.publish();
        }
        say(new Event.Result(file.toString()));
        exit(0);
    }

    private void fail(Event.Failed failure) throws IOException {
        say(failure);
        exit(0);
    }

    private void say(Event event) throws IOException {
        orders.writeByte(FakeTrial.PRINT);
        orders.writeUTF(Json.line(event));
    }

    private void complain(String text) throws IOException {
        orders.writeByte(FakeTrial.COMPLAIN);
        orders.writeUTF(text);
    }

    private void exit(int code) throws IOException {
        orders.writeByte(FakeTrial.EXIT);
        orders.writeByte(code);
    }
}
