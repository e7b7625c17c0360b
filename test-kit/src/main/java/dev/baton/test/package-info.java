/**
 * Tests of services and chains: {@link dev.baton.test.ServiceTester} for one service, {@link dev.baton.test.ChainTester} for a whole
 * chain. Both run the real chain in memory, on the calling thread and by a clock that the test advances. {@link
 * dev.baton.test.Hostility} describes the hostile mode, {@link dev.baton.test.BatonTest} the extension of JUnit.
 */
package dev.baton.test;
