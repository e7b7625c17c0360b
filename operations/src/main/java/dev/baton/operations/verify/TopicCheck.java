package dev.baton.operations.verify;

import dev.baton.deadletters.DeadLetter;
import dev.baton.operations.terminal.Units;
import dev.baton.spi.Cause;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.PartitionTopic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/**
 * The account of one topic, kept while its frames are read in the order in which they are stored. Memory is bounded,
 * however long and however damaged the topic. Confined to one thread.
 */
public final class TopicCheck implements FrameHandler {
    static final String[] HEADINGS = {
        "frames", "sequences", "missing", "repeated", "out of order", "damaged", "causes", "checksums", "size"
    };

    private static final int MOST_TOLD = 20;
    private static final int MOST_RANGES = 100_000;

    private static final String SNAPSHOTS = ".snapshots"; // as Chain.snapshotTopic names them

    private final String topic;
    /**
     * True if causes increase. Snapshots may follow an older input, as a restored service takes them again. A letter of a message that was
     * set aside follows letters of later messages, and that of an unreadable record has no cause.
     */
    private final boolean hasCauses;

    private final TopicCheck before; // the topic that this one's causes are sequences of; null: none, or not looked at
    private final NavigableMap<Long, Long> missing = new TreeMap<>(); // first and last; of very many the first
    private final List<String> told = new ArrayList<>();
    private final List<String> orphansTold = new ArrayList<>(); // of the input that is answered now
    private LongFunction<InputRef> inputs = sequence -> InputRef.UNKNOWN;
    private final Map<String, Long> acknowledged = new TreeMap<>();

    private final MergedCauses mergedCauses = new MergedCauses();
    private long frames;
    private long bytes; // headers, payloads and checksums
    private long first; // 0: there is none
    private long newest;
    private long previous;
    private long repeated;
    private long stepsBack;
    private long missingCount;
    private long gaps;
    private long previousCause;
    private long highestCause;
    private long causesBack;
    private long orphans; // frames whose cause is not in the topic before
    private long checked; // frames whose checksum is right
    private long failed; // frames whose checksum is not
    private long damaged;

    TopicCheck(String topic, TopicCheck before) {
        this.topic = topic;
        this.before = before;
        hasCauses = !PartitionTopic.base(topic).endsWith(SNAPSHOTS) && DeadLetter.inputOf(topic) == null;
    }

    @Override
    public Verdict onFrame(Frame frame, long position) {
        frames++;
        bytes += Frame.HEADER_BYTES + frame.length();
        if (!frame.isPlain() && !isSound(frame, position) && frame.sequence() != newest + 1) {
            return Verdict.DONE; // nothing in it can be relied on
        }
        sequence(frame.sequence(), position);
        if (!hasCauses) {
            return Verdict.DONE;
        }
        int merged = frame.field(Extension.MERGED);
        if (merged == Extension.NONE) {
            cause(Cause.input(frame.cause()), frame.sequence(), Cause.isLate(frame.cause()));
        } else {
            merged(frame, merged);
        }
        return Verdict.DONE;
    }

    private boolean isSound(Frame frame, long position) {
        boolean isChecked = frame.isChecked();
        String defect = frame.validate();
        if (isChecked && defect == null) {
            checked++;
        } else if (isChecked) {
            failed++;
        }
        if (defect != null) {
            damaged("position " + position + ", sequence " + frame.sequence() + ": " + defect);
        }
        return defect == null;
    }

    private void sequence(long sequence, long position) {
        if (first == 0 && newest == 0) {
            first = sequence;
        } else if (sequence <= newest) {
            repeated++;
            if (sequence < previous) {
                stepsBack++;
            }
            tell("position " + position + ": sequence " + sequence + " comes after " + previous);
        } else if (sequence > newest + 1) {
            lacks(newest + 1, sequence - 1);
            tell("position " + position + ": sequence " + sequence + " comes after " + previous + ", "
                    + (sequence - newest - 1) + " missing");
        }
        previous = sequence;
        newest = Math.max(newest, sequence);
    }

    private void lacks(long first, long last) {
        gaps++;
        missingCount += last - first + 1;
        if (missing.size() < MOST_RANGES) {
            missing.put(first, last);
        }
    }

    private boolean isMissing(long sequence) {
        Map.Entry<Long, Long> gap = missing.floorEntry(sequence);
        return gap != null && sequence <= gap.getValue();
    }

    private void cause(long cause, long sequence, boolean isLate) {
        if (cause < previousCause && !isLate && !isOfAnotherInput(cause, sequence)) {
            causesBack++;
            tell("sequence " + sequence + ": its cause is " + cause + ", the frame before had " + previousCause);
        }
        if (before != null && before.isMissing(cause)) {
            orphan("sequence " + sequence + ": its cause " + cause + " is missing in topic " + before.topic);
        }
        previousCause = isLate ? previousCause : cause;
        highestCause = Math.max(highestCause, cause);
    }

    private void merged(Frame frame, int at) {
        String wrong = mergedCauses.next(frame, at);
        if (wrong != null) {
            causesBack++;
            tell("sequence " + frame.sequence() + ": " + wrong);
        }
    }

    /**
     * {@return whether the input was replaced between two frames, and its causes begin again: it is another topic, or a newer writer wrote
     * sequences again that were answered before} Causes of the former input cannot be compared with the topic before.
     */
    private boolean isOfAnotherInput(long cause, long sequence) {
        InputRef now = inputs.apply(sequence);
        InputRef former = inputs.apply(sequence - 1);
        boolean isOther = now.topic() != 0 && former.topic() != 0 && now.topic() != former.topic();
        boolean isRewritten = now.topic() == former.topic()
                && former.incarnation() != 0
                && Incarnation.count(now.incarnation()) > Incarnation.count(former.incarnation());
        if (!isOther && !isRewritten) {
            return false;
        }
        tell("sequence " + sequence + ": the input was replaced, as its topic was "
                + (isOther ? "deleted and created again" : "restored or cut off, and written further")
                + "; causes go on at " + cause + ", those of the former input went up to " + previousCause);
        orphans = 0;
        orphansTold.clear();
        highestCause = 0;
        return true;
    }

    private void orphan(String what) {
        orphans++;
        if (orphansTold.size() < MOST_TOLD) {
            orphansTold.add(what);
        }
    }

    /** Sets the function that returns the input that a frame answers. */
    void inputs(LongFunction<InputRef> bySequence) {
        inputs = bySequence;
    }

    void damaged(String what) {
        damaged++;
        tell(what);
    }

    /**
     * Compares with the end that the transport reported before the topic was read. Retention may have removed all frames of a topic
     * that every consumer has read to this end.
     */
    void endsAt(long sequence, Map<String, Long> consumers) {
        boolean isEmptied = frames == 0
                && damaged == 0
                && !consumers.isEmpty()
                && consumers.values().stream().allMatch(each -> each >= sequence);
        if (isEmptied) {
            newest = Math.max(newest, sequence);
        } else if (newest < sequence) {
            lacks(newest + 1, sequence);
            tell("the transport reports the end at sequence " + sequence + ", the last frame read is " + newest);
        }
    }

    /** Compares with the end of the topic before, read after this one. */
    void causesEndAt(long sequence) {
        if (before != null && highestCause > sequence) {
            orphan("causes go up to " + highestCause + ", topic " + before.topic + " ends at " + sequence);
        }
    }

    /** Sets the sequences that consumers have acknowledged, read before the topic. */
    void acknowledged(Map<String, Long> sequences) {
        acknowledged.putAll(sequences);
        sequences.forEach((consumer, sequence) -> {
            if (sequence > newest) {
                damaged("consumer " + consumer + " has acknowledged sequence " + sequence + ", the topic ends at "
                        + newest);
            }
        });
    }

    private void tell(String what) {
        if (told.size() < MOST_TOLD) {
            told.add(what);
        }
    }

    /** {@return the cells below {@link #HEADINGS}} */
    String[] cells() {
        String checksums = failed > 0
                ? Units.count(failed) + " of " + Units.count(checked + failed) + " wrong"
                : checked > 0 ? Units.count(checked) + " correct" : "none";
        String causes = causesBack == 0 && orphans == 0 ? "correct" : Units.count(causesBack + orphans) + " wrong";
        return new String[] {
            Units.count(frames),
            frames == 0 ? "-" : Units.count(first) + " - " + Units.count(newest),
            Units.count(missingCount) + (gaps > 1 ? " in " + gaps + " gaps" : ""),
            Units.count(repeated),
            Units.count(stepsBack),
            Units.count(damaged),
            hasCauses ? causes : "-",
            checksums,
            Units.bytes(bytes)
        };
    }

    public boolean isClean() {
        return damaged == 0 && gaps == 0 && repeated == 0 && causesBack == 0 && orphans == 0;
    }

    public String topic() {
        return topic;
    }

    /** The topic before, or null. */
    TopicCheck before() {
        return before;
    }

    public long frames() {
        return frames;
    }

    public long newest() {
        return newest;
    }

    /** Returns the acknowledged sequence of each consumer. */
    public Map<String, Long> acknowledged() {
        return Collections.unmodifiableMap(acknowledged);
    }

    /** {@return the problems, in order, and where the input was replaced; limited to the first ones} */
    public List<String> told() {
        return Stream.concat(told.stream(), orphansTold.stream()).toList();
    }
}
