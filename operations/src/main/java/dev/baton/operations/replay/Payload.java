package dev.baton.operations.replay;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** A payload for people: bytes in hexadecimal and, beside them, as text. Stateless, thread-safe. */
final class Payload {
    private static final int PER_LINE = 16;
    private static final int MAX_LINES = 16;
    private static final HexFormat HEX = HexFormat.ofDelimiter(" ");

    private Payload() {}

    /** Lines of 16 bytes, those from the line of a byte on; of a long payload some. */
    static List<String> lines(byte[] bytes, int around) {
        List<String> lines = new ArrayList<>();
        int first = bytes.length <= MAX_LINES * PER_LINE ? 0 : Math.max(0, around / PER_LINE - 1) * PER_LINE;
        for (int at = first; at < bytes.length && lines.size() < MAX_LINES; at += PER_LINE) {
            int end = Math.min(bytes.length, at + PER_LINE);
            StringBuilder text = new StringBuilder();
            for (int i = at; i < end; i++) {
                text.append(bytes[i] >= ' ' && bytes[i] < 0x7f ? (char) bytes[i] : '.');
            }
            lines.add(String.format("%05x  %-47s  %s", at, HEX.formatHex(bytes, at, end), text)
                    .stripTrailing());
        }
        if (lines.isEmpty()) {
            lines.add("no bytes");
        } else if (lines.size() == MAX_LINES && bytes.length > first + MAX_LINES * PER_LINE) {
            lines.add("... " + bytes.length + " bytes in all");
        }
        return lines;
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
