package dev.baton.aeron;

import dev.baton.tck.FixtureSource;
import dev.baton.tck.TransportFixture;
import dev.baton.tck.chain.ChainTck;
import dev.baton.tck.chain.CompositionTck;
import dev.baton.tck.chain.MessageTck;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Chains allocate nothing for a message: a hundred thousand of them, one after the other, each through the Archive. */
@Tag("long")
@ExtendWith(AllocationAlone.class)
class ArchiveAllocationTckTest {
    interface OnLongTerms extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return new ArchiveFixture(
                    TestArchive.options().with(ArchiveOptions.TERM_LENGTH, 16 * AeronOptions.LEAST_TERM), true);
        }
    }

    @Nested
    class Chains extends ChainTck implements OnLongTerms {}

    @Nested
    class Messages extends MessageTck implements OnLongTerms {}

    @Nested
    class Compositions extends CompositionTck implements OnLongTerms {}
}
