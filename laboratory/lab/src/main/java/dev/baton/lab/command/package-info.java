/**
 * The common parts of the studies' commands: their options, their run and their report, and a matrix of any of them. The two commands that
 * belong to no study, {@code report} and {@code doctor}, are here as well.
 */
package dev.baton.lab.command;
