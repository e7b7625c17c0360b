package dev.baton.tck;

/** A source of fixtures, which a transport implements once, as a default method. */
public interface FixtureSource {
    /** Returns a fixture for one test, which closes it. */
    TransportFixture newFixture();
}
