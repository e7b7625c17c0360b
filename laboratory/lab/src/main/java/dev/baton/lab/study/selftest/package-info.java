/**
 * The proof that the laboratory reports what happens: a transport that does harm on purpose, what a right answer is, and
 * the cases that hold what was reported against it. Start with {@link dev.baton.lab.study.selftest.Proof}.
 */
package dev.baton.lab.study.selftest;
