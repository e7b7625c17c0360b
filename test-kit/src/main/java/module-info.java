/** Tests of services and chains in memory, with a virtual clock and a hostile mode. */
module dev.baton.test {
    requires transitive dev.baton.core;
    requires static transitive org.junit.jupiter.api;

    exports dev.baton.test;
}
