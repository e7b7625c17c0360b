package dev.baton.measuring.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

class ChangedFlagsTest {
    private static final Pattern FLAG = Pattern.compile("-XX:[+-]?(\\w+)");

    @Test
    void allChangedFlagsAreFound() throws Exception {
        String listed = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "vmFlags",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        List<String> names = new ArrayList<>();
        FLAG.matcher(listed).results().map(each -> each.group(1)).forEach(names::add);
        names.removeIf(name -> VmFlag.named(name) == null); // locked: the JVM lists them, and tells no value

        assertThat(names).contains("MaxHeapSize");
        assertThat(VmFlag.changed(List.of(), UnaryOperator.identity()).keySet())
                .as("what is missing has to be added to hotspot-flags.txt")
                .containsAll(names);
    }

    @Test
    void flagsThatKeepTheirDefaultsAreLeftOut() {
        assertThat(VmFlag.changed(List.of("-XX:+NoSuchFlag", "-Xmx1g", "-XX:OnError=x"), UnaryOperator.identity()))
                .doesNotContainKeys("NoSuchFlag", "OnError", "UseEpsilonGC")
                .containsEntry("MaxHeapSize", String.valueOf(maxHeapBytes()));
    }

    private static String maxHeapBytes() {
        return VmFlag.named("MaxHeapSize").value();
    }
}
