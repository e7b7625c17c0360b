package dev.baton.lab.reporting;

import dev.baton.lab.results.ResultFolder;
import dev.baton.lab.results.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * The methods in which a flight recording found the threads of a chain most often. The flight recorder takes samples every 10 ms at
 * places where the compiler allows it, so neighbouring methods may share a count. Immutable, thread-safe.
 *
 * @param samples of all threads but those of the laboratory and the JVM
 * @param frames of most samples first
 */
public record HottestFrames(long samples, List<Frame> frames) {
    private static final String EVENT = "jdk.ExecutionSample";
    private static final List<String> OWN_THREADS = List.of("main", "baton-lab", "JFR ", "Attach Listener");
    private static final int SHOWN = 10;

    /**
     * A method on the top of a stack.
     *
     * @param method class and name
     * @param thread name of a thread that ran it
     */
    public record Frame(String method, String thread, long samples) {}

    /** Reads a recording. */
    static HottestFrames of(Path recording) throws IOException {
        Map<String, Frame> frames = new HashMap<>();
        long samples = 0;
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                if (!event.getEventType().getName().equals(EVENT) || event.getStackTrace() == null) {
                    continue;
                }
                RecordedThread sampled = event.getThread("sampledThread");
                String thread = sampled == null || sampled.getJavaName() == null ? "" : sampled.getJavaName();
                if (OWN_THREADS.stream().anyMatch(thread::startsWith)
                        || event.getStackTrace().getFrames().isEmpty()) {
                    continue;
                }
                RecordedFrame top = event.getStackTrace().getFrames().get(0);
                String method = top.getMethod().getType().getName() + "."
                        + top.getMethod().getName();
                samples++;
                frames.merge(
                        method,
                        new Frame(method, thread, 1),
                        (before, one) -> new Frame(method, before.thread(), before.samples() + 1));
            }
        }
        List<Frame> sorted = new ArrayList<>(frames.values());
        sorted.sort(Comparator.comparingLong(Frame::samples).reversed().thenComparing(Frame::method));
        return new HottestFrames(samples, List.copyOf(sorted));
    }

    /** Returns the lines for the trials that left a recording; empty without any. */
    public static List<String> lines(Path folder, List<TrialResult> trials) {
        List<String> lines = new ArrayList<>();
        for (TrialResult trial : trials) {
            Path recording = new ResultFolder(folder).recordingFile(trial.plan().id());
            if (Files.isRegularFile(recording)) {
                lines.addAll(lines(TrialNames.of(trial.plan()), recording));
            }
        }
        return lines;
    }

    private static List<String> lines(String name, Path recording) {
        List<String> lines = new ArrayList<>();
        try {
            HottestFrames hottest = of(recording);
            lines.add("");
            if (hottest.samples == 0) {
                lines.add(name
                        + ": no sample of the hottest methods, as its threads hardly ran; raise --rate or --duration: "
                        + recording);
                return lines;
            }
            lines.add("hottest methods of " + name + ", of " + hottest.samples + " samples: " + recording);
            hottest.frames.stream()
                    .limit(SHOWN)
                    .forEach(each -> lines.add(String.format(
                            Locale.ROOT,
                            "%6.1f %%  %s  [%s]",
                            100.0 * each.samples / hottest.samples,
                            each.method,
                            each.thread)));
        } catch (IOException unreadable) {
            lines.add("the recording " + recording + " cannot be read: " + unreadable.getMessage());
        }
        return lines;
    }
}
