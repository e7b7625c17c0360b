package dev.baton.measuring.machine;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.VMOption;
import java.lang.management.ManagementFactory;

/**
 * A flag of the JVM that runs this. Diagnostic ones are visible only when they are unlocked. Immutable, thread-safe.
 *
 * @param value as a text
 * @param isDefault whether nobody has set it
 */
public record VmFlag(String value, boolean isDefault) {
    /** By its name; null when this JVM has none of that name, or does not tell. */
    public static VmFlag named(String name) {
        try {
            VMOption option = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .getVMOption(name);
            return new VmFlag(option.getValue(), option.getOrigin() == VMOption.Origin.DEFAULT);
        } catch (IllegalArgumentException | NullPointerException | LinkageError none) {
            return null;
        }
    }
}
