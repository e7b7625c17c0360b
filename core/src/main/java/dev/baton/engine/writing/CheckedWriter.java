package dev.baton.engine.writing;

import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;

/**
 * A topic's writer that adds a checksum to each frame. For the transport the checksum is the end of the payload; for the
 * claimant it is invisible. Fields of the extension that are added after the claim are the beginning of the payload.
 *
 * <p>The checksum covers the sequence, which the transport assigns at commit. This writer therefore stores the expected
 * sequence, the one after {@link #sequence}, in the frame before the commit. Chains without checksums write to the
 * transport's own writer. Confined to its thread.
 */
public final class CheckedWriter extends WriterInFront {
    private final int maxPayload;

    private Frame claimed; // null if no claim is open
    private int extensionAtClaim; // bytes that the transport itself added and counts

    CheckedWriter(TopicWriter writer, int maxPayload) {
        super(writer);
        this.maxPayload = maxPayload;
    }

    @Override
    public Frame claim(int maxLength) {
        if (maxLength < 0 || maxLength > maxPayload) {
            throw new IllegalArgumentException("claim of " + maxLength + " bytes, the longest payload is " + maxPayload
                    + " bytes, as " + Frame.CHECKSUM_BYTES + " are for the checksum");
        }
        Frame frame = writer.claim(maxLength + Frame.CHECKSUM_BYTES);
        if (frame != null) {
            claimed = frame.reserveChecksum();
            extensionAtClaim = frame.extensionBytes();
        }
        return frame;
    }

    @Override
    public int remainingCapacity(int maxLength) {
        return writer.remainingCapacity(maxLength + Frame.CHECKSUM_BYTES);
    }

    @Override
    public long commit(int length) {
        if (claimed == null) {
            throw new IllegalStateException("commit without a claim");
        }
        int extension = claimed.extensionBytes() - extensionAtClaim;
        if (length < extension || length > extension + claimed.length()) {
            throw new IllegalArgumentException("commit of " + length + " bytes, claimed were "
                    + (extension + claimed.length()) + ", the extension takes " + extension + " of them");
        }
        long due = writer.sequence() + 1;
        claimed.sequence(due);
        claimed.seal(length - extension);
        claimed = null;
        long given = writer.commit(length + Frame.CHECKSUM_BYTES);
        if (given != due) {
            throw new IllegalStateException("the transport gave a frame sequence " + given + " where " + due
                    + " was due, for which its checksum was made; run this topic without checksums");
        }
        return given;
    }

    @Override
    public void abort() {
        claimed = null;
        writer.abort();
    }

    @Override
    public void close() {
        claimed = null;
        writer.close();
    }
}
