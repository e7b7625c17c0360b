package dev.baton.aeron.driver;

import static io.aeron.CncFileDescriptor.createCountersMetaDataBuffer;
import static io.aeron.CncFileDescriptor.createCountersValuesBuffer;
import static io.aeron.CncFileDescriptor.createMetaDataBuffer;

import io.aeron.CncFileDescriptor;
import io.aeron.CommonContext;
import io.aeron.driver.status.SystemCounterDescriptor;
import java.io.File;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.agrona.concurrent.status.CountersReader;

/** The counters of losses, back-pressure and errors of a media driver, read from its CnC file without a client. Stateless. */
public final class DriverCounters {
    private static final Map<String, SystemCounterDescriptor> SHOWN = shown();

    private DriverCounters() {}

    private static Map<String, SystemCounterDescriptor> shown() {
        Map<String, SystemCounterDescriptor> shown = new LinkedHashMap<>();
        shown.put("media driver errors", SystemCounterDescriptor.ERRORS);
        shown.put("client timeouts", SystemCounterDescriptor.CLIENT_TIMEOUTS);
        shown.put("NAKs sent", SystemCounterDescriptor.NAK_MESSAGES_SENT);
        shown.put("retransmits sent", SystemCounterDescriptor.RETRANSMITS_SENT);
        shown.put("loss gap fills", SystemCounterDescriptor.LOSS_GAP_FILLS);
        shown.put("back-pressure events", SystemCounterDescriptor.SENDER_FLOW_CONTROL_LIMITS);
        return shown;
    }

    /** Returns the counters of the driver in a directory since its start, of all its clients; empty if its file cannot be read. */
    public static Map<String, Long> of(Path driver) {
        File file = CommonContext.newCncFile(driver.toString());
        MappedByteBuffer mapped = null;
        try {
            mapped = IoUtil.mapExistingFile(file, CncFileDescriptor.CNC_FILE);
            DirectBuffer meta = createMetaDataBuffer(mapped);
            CncFileDescriptor.checkVersion(meta.getInt(CncFileDescriptor.cncVersionOffset(0)));
            CountersReader reader = new CountersReader(
                    createCountersMetaDataBuffer(mapped, meta), createCountersValuesBuffer(mapped, meta));
            Map<String, Long> values = new LinkedHashMap<>();
            SHOWN.forEach((name, counter) -> values.put(name, reader.getCounterValue(counter.id())));
            return Collections.unmodifiableMap(values);
        } catch (Exception goneOrOfAnotherVersion) { // Agrona throws IOException unchecked
            return Map.of();
        } finally {
            if (mapped != null) {
                IoUtil.unmap(mapped);
            }
        }
    }
}
