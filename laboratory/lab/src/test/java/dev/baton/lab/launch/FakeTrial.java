package dev.baton.lab.launch;

import dev.baton.lab.FixedResults;
import dev.baton.lab.protocol.Event;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Incident;
import dev.baton.lab.results.IntervalLog;
import dev.baton.lab.results.Json;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.line.CommandException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The main class of a child that measures nothing: what it does is the value of the transport's option {@code do}. */
public final class FakeTrial {
    private FakeTrial() {}

    public static void main(String[] arguments) throws IOException {
        PlacedTrial trial = Json.read(Path.of(arguments[0]), PlacedTrial.class);
        say(new Event.Ready(ProcessHandle.current().pid()));
        say(new Event.Progress(Event.Phase.WARMUP, 1, 2L, 1, 3, 3, 1000L, 2000L));
        String queues = trial.place().queueDirectory();
        if (queues != null) {
            Files.writeString(Path.of(queues, "queue"), "data");
        }
        String act = trial.subject().options().getOrDefault("do", "pass");
        switch (act) {
            case "pass" -> finish(trial, new Outcome(Verdict.PASS, List.of()), 0);
            case "lose" -> finish(trial, new Outcome(Verdict.FAIL, List.of("1 message lost")), 1);
            case "disturbed" -> finish(trial, new Outcome(Verdict.INCONCLUSIVE, List.of("the machine stalled")), 0);
            case "stop" -> finish(trial, new Outcome(Verdict.FAIL, List.of("instance 1 stopped: no disk")), 0);
            case "die" -> {
                System.err.println("Exception in thread \"main\" java.lang.NoClassDefFoundError: com/acme/Missing");
                System.exit(7);
            }
            case "die-2" -> {
                if (trial.plan().id().endsWith("-p2")) {
                    System.exit(7);
                }
                waitForTheEnd(trial);
            }
            case "refuse" -> say(new Event.Failed(CommandException.Kind.USAGE, "size=11 is not allowed; 1 to 10"));
            case "unreachable" ->
                say(new Event.Failed(
                        CommandException.Kind.ENVIRONMENT, "no broker at localhost:1 answered within 5 s"));
            case "wait" -> waitForTheEnd(trial);
            case "need-100m" -> {
                if (trial.plan().study().memory().totalBytes() < 100 << 20) {
                    System.err.println("Terminating due to java.lang.OutOfMemoryError: Java heap space");
                    System.exit(3);
                }
                finish(trial, new Outcome(Verdict.PASS, List.of()), 0);
            }
            default -> hold(trial, Integer.parseInt(act.replaceFirst("hold-", "")));
        }
    }

    /** A child that complains of the secrets that it was told, as libraries do, and of what its plan's file holds. */
    public static final class Indiscreet {
        private Indiscreet() {}

        public static void main(String[] arguments) throws IOException {
            String told = new BufferedReader(new InputStreamReader(System.in)).readLine();
            String user = told.replaceFirst(".*username=..([^\\\\]*).*", "$1");
            String password = told.replaceFirst(".*password=..([^\\\\]*).*", "$1");
            String login = "login as " + user + " with " + password + " failed";
            PlacedTrial trial = Json.read(Path.of(arguments[0]), PlacedTrial.class);
            System.err.println(login + "; the plan's file says "
                    + trial.subject().options().get("client.sasl.jaas.config"));
            say(new Event.Failed(CommandException.Kind.FAILURE, login));
        }
    }

    /** A child of a later build: {@code plain} loses a message, and {@code filing} does not run. */
    public static final class Worse {
        private Worse() {}

        public static void main(String[] arguments) throws IOException {
            PlacedTrial trial = Json.read(Path.of(arguments[0]), PlacedTrial.class);
            if (trial.subject().transport().equals("filing")) {
                System.exit(7);
            }
            say(new Event.Ready(ProcessHandle.current().pid()));
            finish(trial, new Outcome(Verdict.FAIL, List.of("1 message lost")), 1);
        }
    }

    private static void waitForTheEnd(PlacedTrial trial) throws IOException {
        while (System.in.read() >= 0) {
            // until it is asked to stop
        }
        finish(trial, new Outcome(Verdict.INTERRUPTED, List.of("stopped early")), 0);
    }

    private static void hold(PlacedTrial trial, int most) throws IOException {
        boolean isPass = trial.plan().shape().instances() <= most;
        finish(trial, new Outcome(isPass ? Verdict.PASS : Verdict.FAIL, isPass ? List.of() : List.of("too many")), 0);
    }

    private static void finish(PlacedTrial trial, Outcome outcome, long lost) throws IOException {
        List<Incident> incidents =
                lost == 0 ? List.of() : List.of(new Incident(1, 7, Incident.Kind.LOST, "never arrived"));
        Delivery delivery = new Delivery(10, 10 - lost, lost, 0, 0, 0, 0, 0, incidents);
        Path file = Path.of(trial.place().resultDirectory(), trial.plan().id() + ".trial.json");
        Json.write(file, FixedResults.result(trial.plan().redacted(), trial.place(), 1000, delivery, outcome));
        try (IntervalLog log = IntervalLog.create(
                Path.of(trial.place().resultDirectory(), trial.plan().id() + ".hlog"), "measured nothing", 0)) {
            log.publish();
        }
        say(new Event.Result(file.toString()));
    }

    private static void say(Event event) {
        System.out.println(Json.line(event));
        System.out.flush();
    }
}
